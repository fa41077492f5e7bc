// Datasets of HuggingFace's Hub: the commit that a revision is, then the tree of files in pages, with the digests of
// those that Git LFS keeps (https://huggingface.co/docs/hub/api).
#include <algorithm>

#include "fetch/address/address.h"
#include "fetch/pages.h"
#include "io/input_file.h"
#include "io/process.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr int kMostPages = 100'000;

std::string endpoint() {
  const std::string url = first_variable({"HF_ENDPOINT"});
  return url.empty() ? "https://huggingface.co" : url;
}

// Where the Hub's own programs look for it.
fs::path token_file() {
  if (const std::string file = environment_variable("HF_TOKEN_PATH"); !file.empty()) return file;
  if (const std::string home = environment_variable("HF_HOME"); !home.empty()) return fs::path(home) / "token";
  fs::path cache = environment_variable("XDG_CACHE_HOME");
  if (cache.empty()) cache = fs::path(environment_variable("HOME")) / ".cache";
  return cache / "huggingface/token";
}

std::string token() {
  std::string text = environment_variable("HF_TOKEN");
  std::error_code error;
  if (text.empty() && fs::is_regular_file(token_file(), error)) text = read_file_if_any(token_file()).value_or("");
  text.erase(std::min(text.find_first_of(" \t\r\n"), text.size()));
  return text;
}

class HubApi {
 public:
  HubApi(const FetchJob& job, const Address& address)
      : address_(address),
        base_(endpoint() + "/api/datasets/" + url_encoded(address.place, true)),
        pages_(job.options, job.policy, job.progress) {
    pages_.set_credentials(hub_credentials());
  }

  std::string commit() {
    const std::string revision = address_.revision.empty() ? "main" : address_.revision;
    const std::string url = base_ + "/revision/" + url_encoded(revision);
    const auto text = pages_.get({url});
    if (!text) throw refused();
    return Json::parse(*text, url).at("sha").text();
  }

  // The files at or below `folder`; nothing if there is no such folder.
  std::vector<CatalogueFile> tree(const std::string& commit, const std::string& folder, bool recursive) {
    std::vector<CatalogueFile> files;
    std::string url = base_ + "/tree/" + commit + (folder.empty() ? "" : "/" + url_encoded(folder, true)) +
                      (recursive ? "?recursive=true" : "");
    for (int page = 0; !url.empty(); ++page) {
      if (page == kMostPages) throw FormatError("lists files without end", address_.text, "name a folder of it");
      const auto text = pages_.get({url});
      if (!text && pages_.reply().status == 404 && !folder.empty()) return {};
      if (!text) throw refused();
      const Json list = Json::parse(*text, url);
      for (const Json& entry : list.items()) add(entry, commit, files);
      url = next_of(pages_.reply().link);
    }
    return files;
  }

 private:
  void add(const Json& entry, const std::string& commit, std::vector<CatalogueFile>& files) const {
    if (entry.at("type").text() != "file") return;
    const std::string& path = entry.at("path").text();
    const std::string url = endpoint() + "/datasets/" + url_encoded(address_.place, true) + "/resolve/" + commit + "/" +
                            url_encoded(path, true);
    CatalogueFile& file = files.emplace_back(CatalogueFile{path, {{url}}, {entry.at("size").as_unsigned()}});
    if (const Json* lfs = entry.find("lfs")) file.facts.sha256 = lfs->at("oid").text();
  }

  // <URL>; rel="next"
  static std::string next_of(const std::string& link) {
    const std::size_t mark = link.find("rel=\"next\"");
    const std::size_t begin = link.rfind('<', mark);
    if (mark == std::string::npos || begin == std::string::npos) return {};
    return link.substr(begin + 1, link.find('>', begin) - begin - 1);
  }

  IoError refused() const {
    const HttpReply& reply = pages_.reply();
    if (reply.status == 401 || reply.status == 403 || reply.status == 404) {
      return hub_refusal(address_, refusal_text(reply));
    }
    return IoError::of_servers("can't be listed: " + in_one_line(pages_.failed()), address_.text,
                               "try again later, or name another server of the Hub's kind in HF_ENDPOINT",
                               bertprep::may_recover(pages_.failed()));
  }

  const Address& address_;
  std::string base_;
  Pages pages_;
};

}  // namespace

Credentials hub_credentials() {
  HttpCredentials credentials;
  credentials.origin = endpoint() + "/";
  credentials.bearer = token();
  return std::make_shared<const HttpCredentials>(std::move(credentials));
}

IoError hub_refusal(const Address& address, const std::string& reason) {
  const bool has_token = !hub_credentials()->bearer.empty();
  const std::string page = endpoint() + "/datasets/" + address.place;
  if (reason.find("GatedRepo") != std::string::npos) {
    return IoError("its owner asks for consent: " + reason, address.text,
                   "log in at " + page + ", accept its conditions, and give " +
                       (has_token ? "the token of that account (the one given is of an account without access)"
                                  : "a token of that account in HF_TOKEN") +
                       "; tokens are made at " + endpoint() + "/settings/tokens");
  }
  if (reason.find("RevisionNotFound") != std::string::npos) {
    return IoError("has no such revision: " + reason, address.text, page + "/tree/main shows its branches");
  }
  return IoError("the Hub does not give it: " + reason, address.text,
                 has_token ? "check the name; for one that is not public, the token must be of an account that may "
                             "read it, and still be valid"
                           : "check the name; for one that is not public, give a token in HF_TOKEN");
}

RemoteFiles list_hub(const FetchJob& job, const Address& address) {
  HubApi api(job, address);
  RemoteFiles found{{}, api.commit(), endpoint() + "/"};
  const std::string plain = address.plain_path();
  const std::string above = plain.find('/') == std::string::npos ? "" : plain.substr(0, plain.rfind('/'));
  found.files = api.tree(found.revision, address.is_pattern() ? above : plain, true);
  const auto is_other = [&](const CatalogueFile& file) { return !takes(address, file.name); };
  std::erase_if(found.files, is_other);
  if (found.files.empty() && !plain.empty() && !address.is_pattern()) {  // not a folder: a file of the one above
    found.files = api.tree(found.revision, above, false);
    std::erase_if(found.files, is_other);
  }
  return found;
}

}  // namespace bertprep
