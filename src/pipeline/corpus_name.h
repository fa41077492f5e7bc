// name_of_corpus: the name of a dataset that is given none.
#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace bertprep {

// Of one input, the name of the file, without its endings, or of the folder; of several, that of the folder that holds
// them all. Characters that check_name() refuses become '_'. Trainers tell splits by words in names, so that "train"
// and "test" name no dataset: then the name is that of the folder above. "corpus" if no folder has a fitting one.
// Depends only on the absolute paths, so that all tasks of an array job agree.
std::string name_of_corpus(std::span<const std::filesystem::path> inputs);

}  // namespace bertprep
