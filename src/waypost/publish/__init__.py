"""Pages and an origin become documents. Pure: nothing here opens a file, a socket or a clock."""
