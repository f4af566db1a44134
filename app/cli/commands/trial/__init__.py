"""Commands about trials on live servers: try one, what rules have earned by them, what is kept."""
