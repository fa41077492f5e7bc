// The zip files of torch.save, since torch 1.6: a pickle and the bytes of storages, none of them compressed.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace bertprep {

bool is_torch_archive(std::string_view bytes);

// Name without the folder that all lie in, such as "data.pkl" or "data/0" -> bytes within the archive.
using TorchRecords = std::unordered_map<std::string, std::string_view>;

// The records for which `is_wanted` is true; only these are looked at, and checked against their checksums. `where`
// names the file. Throws FormatError for what is no zip file, is compressed or damaged.
TorchRecords read_torch_records(std::string_view archive, const std::string& where,
                                const std::function<bool(const std::string&)>& is_wanted);

}  // namespace bertprep
