#include "support/server_process.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "support/golden_data.h"
#include "support/run_program.h"
#include "unicode/utf8_text.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;

// Each process has a loopback address of its own: on 127.0.0.1, a test beside this one could take a free port
// before the server does.
std::uint32_t own_address() {
  return (127U << 24) | (1U << 22) | (static_cast<std::uint32_t>(::getpid()) & 0x3F'FFFFU);
}

std::string own_host() {
  const in_addr address{htonl(own_address())};
  std::array<char, INET_ADDRSTRLEN> text{};
  return ::inet_ntop(AF_INET, &address, text.data(), text.size());
}

sockaddr_in at_port(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(own_address());
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

const sockaddr* plain_name(const sockaddr_in& address) {
  return static_cast<const sockaddr*>(static_cast<const void*>(&address));
}

// A free port that is not `taken`.
int free_port(int taken = 0) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = at_port(0);
  socklen_t size = sizeof address;
  if (::bind(descriptor, plain_name(address), size) != 0 ||
      ::getsockname(descriptor, static_cast<sockaddr*>(static_cast<void*>(&address)), &size) != 0) {
    throw std::runtime_error("no free port");
  }
  ::close(descriptor);
  const int port = ntohs(address.sin_port);
  return port == taken ? free_port(taken) : port;
}

bool answers(int port) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = at_port(port);
  const bool connected = ::connect(descriptor, plain_name(address), sizeof address) == 0;
  ::close(descriptor);
  return connected;
}

std::string read_all(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Returns when `condition` holds; throws with the process's `log` if it ends before, or after a minute.
template <class Condition>
void wait_until(const Condition& condition, BackgroundProcess& process, const fs::path& log) {
  for (int i = 0; i < 3000; ++i) {
    if (condition()) return;
    if (process.has_ended()) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  throw std::runtime_error("the server did not come up:\n" + read_all(log));
}

constexpr const char* kNginxConfiguration = R"(daemon off;
worker_processes 1;
pid SCRATCH/nginx.pid;
error_log SCRATCH/error.log;
events { worker_connections 64; }
http {
  default_type application/octet-stream;
  access_log SCRATCH/access.log;
  client_body_temp_path SCRATCH/body;
  proxy_temp_path SCRATCH/proxy;
  fastcgi_temp_path SCRATCH/fastcgi;
  uwsgi_temp_path SCRATCH/uwsgi;
  scgi_temp_path SCRATCH/scgi;
  server {
    listen HOST:PLAIN;
    listen HOST:SECURE ssl;
    ssl_certificate SCRATCH/cert.pem;
    ssl_certificate_key SCRATCH/key.pem;
    root FILES;
    autoindex on;
    RATE
    location /moved/ { rewrite ^/moved/(.*)$ /$1 redirect; }
    location /loop/ { rewrite ^ /loop/ redirect; }
    location /forbidden/ { return 403; }
  }
}
)";

fs::path configure(const fs::path& files, const fs::path& scratch, int port, int tls_port, const std::string& rate) {
  fs::create_directories(scratch);
  // Its workers run as another user if root starts it.
  for (const fs::path& folder : {files, scratch, files.parent_path()}) {
    fs::permissions(folder, fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                                fs::perms::others_read | fs::perms::others_exec);
  }
  run_program({"/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
               "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
               "subjectAltName=IP:" + own_host() + ",DNS:localhost", "-keyout", scratch / "key.pem", "-out",
               scratch / "cert.pem"});
  std::string text = kNginxConfiguration;
  replace_all(text, "SCRATCH", scratch.string());
  replace_all(text, "FILES", files.string());
  replace_all(text, "HOST", own_host());
  replace_all(text, "PLAIN", std::to_string(port));
  replace_all(text, "SECURE", std::to_string(tls_port));
  replace_all(text, "RATE", rate.empty() ? "" : "limit_rate " + rate + ";");
  std::ofstream(scratch / "nginx.conf") << text;
  return scratch / "nginx.conf";
}

constexpr const char* kNginx = "/usr/sbin/nginx";

}  // namespace

BackgroundProcess::BackgroundProcess(const std::vector<std::string>& command, const fs::path& log) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  process_ = ::fork();
  if (process_ < 0) throw std::runtime_error("can't start " + command.front());
  if (process_ > 0) return;
  const int output = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::execvp(arguments.front(), arguments.data());
  ::_exit(127);
}

BackgroundProcess::~BackgroundProcess() {
  end(SIGTERM);
}

bool BackgroundProcess::has_ended() {
  if (process_ > 0 && ::waitpid(process_, nullptr, WNOHANG) == process_) process_ = -1;
  return process_ < 0;
}

void BackgroundProcess::end(int signal) {
  if (process_ <= 0) return;
  ::kill(process_, signal);
  ::waitpid(process_, nullptr, 0);
  process_ = -1;
}

FaultServer::FaultServer(const fs::path& files, const fs::path& scratch, const std::string& script)
    : process_({"/usr/bin/python3", source_folder() / "tests/support" / script, files, scratch / "port"},
               scratch / "fault_server.log") {
  wait_until([&] { return fs::exists(scratch / "port"); }, process_, scratch / "fault_server.log");
  url_ = "http://127.0.0.1:" + read_all(scratch / "port");
}

std::vector<std::string> FaultServer::requests() const {
  const Finished log =
      run_program({"/usr/bin/python3", "-c",
                   "import sys,urllib.request as u;print(u.urlopen(sys.argv[1]).read().decode())", url_ + "/log"});
  std::istringstream lines(log.out);
  std::vector<std::string> all;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) all.push_back(line);
  }
  return all;
}

bool Nginx::is_installed() {
  return fs::exists(kNginx);
}

Nginx::Nginx(const fs::path& files, const fs::path& scratch, const std::string& rate)
    : scratch_(scratch),
      certificate_(scratch / "cert.pem"),
      port_(free_port()),
      tls_port_(free_port(port_)),
      url_("http://" + own_host() + ":" + std::to_string(port_)),
      tls_url_("https://" + own_host() + ":" + std::to_string(tls_port_)),
      process_({kNginx, "-p", scratch, "-c", configure(files, scratch, port_, tls_port_, rate)},
               scratch / "nginx.out") {
  wait_until([this] { return answers(port_) && answers(tls_port_); }, process_, scratch / "nginx.out");
}

std::string Nginx::requests() const {
  return read_all(scratch_ / "access.log");
}

}  // namespace bertprep::test
