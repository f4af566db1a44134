"""The page of a lab: a question on throwaway servers."""
