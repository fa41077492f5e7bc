// The functions of libarchive, which is loaded when the first of them is needed. Names are its own without archive_.
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include "io/loaded_library.h"

namespace bertprep {

struct ArchiveLibrary {
  LoadedLibrary library{BERTPREP_ARCHIVE_NAME, BERTPREP_ARCHIVE_FILE};
  decltype(&::archive_entry_filetype) entry_filetype = library["archive_entry_filetype"];
  decltype(&::archive_entry_hardlink) entry_hardlink = library["archive_entry_hardlink"];
  decltype(&::archive_entry_is_encrypted) entry_is_encrypted = library["archive_entry_is_encrypted"];
  decltype(&::archive_entry_pathname) entry_pathname = library["archive_entry_pathname"];
  decltype(&::archive_entry_pathname_utf8) entry_pathname_utf8 = library["archive_entry_pathname_utf8"];
  decltype(&::archive_entry_size) entry_size = library["archive_entry_size"];
  decltype(&::archive_entry_size_is_set) entry_size_is_set = library["archive_entry_size_is_set"];
  decltype(&::archive_entry_symlink) entry_symlink = library["archive_entry_symlink"];
  decltype(&::archive_errno) error_number = library["archive_errno"];
  decltype(&::archive_error_string) error_string = library["archive_error_string"];
  decltype(&::archive_filter_bytes) filter_bytes = library["archive_filter_bytes"];
  decltype(&::archive_read_data) read_data = library["archive_read_data"];
  decltype(&::archive_read_data_block) read_data_block = library["archive_read_data_block"];
  decltype(&::archive_read_free) read_free = library["archive_read_free"];
  decltype(&::archive_read_new) read_new = library["archive_read_new"];
  decltype(&::archive_read_next_header) read_next_header = library["archive_read_next_header"];
  decltype(&::archive_read_open) read_open = library["archive_read_open"];
  decltype(&::archive_read_open_filename) read_open_filename = library["archive_read_open_filename"];
  decltype(&::archive_read_set_option) read_set_option = library["archive_read_set_option"];
  decltype(&::archive_read_support_filter_all) read_support_filter_all = library["archive_read_support_filter_all"];
  decltype(&::archive_read_support_filter_bzip2) read_support_filter_bzip2 =
      library["archive_read_support_filter_bzip2"];
  decltype(&::archive_read_support_filter_xz) read_support_filter_xz = library["archive_read_support_filter_xz"];
  decltype(&::archive_read_support_format_7zip) read_support_format_7zip = library["archive_read_support_format_7zip"];
  decltype(&::archive_read_support_format_empty) read_support_format_empty =
      library["archive_read_support_format_empty"];
  decltype(&::archive_read_support_format_raw) read_support_format_raw = library["archive_read_support_format_raw"];
  decltype(&::archive_read_support_format_tar) read_support_format_tar = library["archive_read_support_format_tar"];
  decltype(&::archive_read_support_format_zip) read_support_format_zip = library["archive_read_support_format_zip"];
  decltype(&::archive_read_support_format_zip_seekable) read_support_format_zip_seekable =
      library["archive_read_support_format_zip_seekable"];
  decltype(&::archive_read_support_format_zip_streamable) read_support_format_zip_streamable =
      library["archive_read_support_format_zip_streamable"];
  decltype(&::archive_set_error) set_error = library["archive_set_error"];
  decltype(&::archive_version_string) version_string = library["archive_version_string"];
};

// Throws Error if there is no libarchive.
const ArchiveLibrary& libarchive();

}  // namespace bertprep
