"""What a connection stands on: the socket, TLS, certificates, the packets of MySQL's protocol."""
