// Arbitrary bytes as the records of a download: the state of a part, the record of a file and that of a folder. They
// count as absent, or stay the same when written again.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "fetch/download.h"
#include "io/input_file.h"
#include "support/temp_folder.h"

namespace {

namespace fs = std::filesystem;

void check_part_state(const fs::path& file) {
  const auto state = bertprep::load_part_state(file);
  if (!state) return;
  bertprep::save_part_state(*state, file);
  const std::string once = bertprep::read_file(file);
  const auto again = bertprep::load_part_state(file);
  if (!again) std::abort();
  bertprep::save_part_state(*again, file);
  if (bertprep::read_file(file) != once) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bertprep::test::TempFolder temp;
  static const fs::path file = [] {
    const fs::path made = temp.write("book", "text");
    temp.write("books/one", "text");
    fs::last_write_time(made, fs::file_time_type{});  // the time in the seeds
    return made;
  }();
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  check_part_state(temp.write("state/part.json", bytes));
  temp.write("state/book.fetched.json", bytes);
  temp.write("state/books.fetched.json", bytes);
  if (const auto record = bertprep::find_record(file, temp / "state")) {
    if (record->facts.size_bytes != 4) std::abort();
    bertprep::save_record(*record, file, temp / "state");
    if (bertprep::find_record(file, temp / "state")->from != record->from) std::abort();
  }
  bertprep::find_origin(temp / "books", temp / "state");
  bertprep::is_as_unpacked(temp / "books", temp / "state");
  return 0;
}
