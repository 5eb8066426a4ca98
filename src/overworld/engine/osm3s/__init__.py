"""The real engine by its own binaries on this host: how worlds are loaded into it, and how it is asked."""
