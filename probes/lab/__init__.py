"""The lab's servers, data and loads: variants of one server that work in turn on one machine."""
