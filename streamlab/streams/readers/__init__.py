"""Files, arrays and other packages' data sets as streams: a module for each format."""
