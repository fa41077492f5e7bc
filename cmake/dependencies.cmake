# What the libraries link: a package an entry, with its components. The project finds them when it is configured, and
# the installed package configuration, which includes this file too, when a consumer is.
set(bertprep_dependencies
  "Threads"
  "ZLIB"
  "EXPAT"
  "libdeflate"
  "BZip2"
  "zstd"
  "ICU COMPONENTS uc"
  "simdjson"
  "TBB"
  "Nettle")
