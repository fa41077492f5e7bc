// A page of a dump and the wiki it belongs to, as they stand in the XML: nothing is unescaped.
#pragma once

#include <map>
#include <string>

namespace bertprep {

struct WikiPage {
  std::string id;
  std::string revision_id;
  std::string timestamp;
  std::string title;
  std::string text;
};

struct WikiSite {
  std::string url_base;                           // "https://en.wikipedia.org/wiki"
  std::map<std::string, std::string> namespaces;  // name -> digits of its key; "" for a negative or missing key
  std::string template_namespace = "Template";
  std::string module_namespace = "Module";
  std::string dump;   // name of the dump
  std::string clock;  // "YYYY-MM-DDTHH:MM:SS", of CURRENTYEAR and the like
};

}  // namespace bertprep
