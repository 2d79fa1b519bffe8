"""Speed and memory, as ratios against peers and physical floors in one interleaved run."""
