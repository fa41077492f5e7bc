// An SQLite database that holds what a script puts into it.
#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace bertprep::test {

inline std::filesystem::path make_sqlite(const std::filesystem::path& file, const std::string& script) {
  sqlite3* database = nullptr;
  const bool is_made = sqlite3_open(file.c_str(), &database) == SQLITE_OK &&
                       sqlite3_exec(database, script.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
  const std::string fault = sqlite3_errmsg(database);
  sqlite3_close(database);
  if (!is_made) throw std::runtime_error(fault);
  return file;
}

}  // namespace bertprep::test
