// Servers on loopback for tests of downloads; each ends with its object.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace bertprep::test {

// A program that runs beside the test.
class BackgroundProcess {
 public:
  // Its output goes to `log`. Throws std::runtime_error if it can't be started.
  BackgroundProcess(const std::vector<std::string>& command, const std::filesystem::path& log);
  ~BackgroundProcess();
  BackgroundProcess(const BackgroundProcess&) = delete;
  BackgroundProcess& operator=(const BackgroundProcess&) = delete;

  bool has_ended();
  // Ends it by `signal` and waits for it.
  void end(int signal);

 private:
  pid_t process_ = -1;
};

// tests/support/fault_server.py on a folder, or another server of its kind; throws if it does not start.
class FaultServer {
 public:
  FaultServer(const std::filesystem::path& files, const std::filesystem::path& scratch,
              const std::string& script = "fault_server.py");
  const std::string& url() const { return url_; }  // "http://127.0.0.1:PORT"
  // What cloud_server.py was asked: a line of JSON a request.
  std::vector<std::string> requests() const;

 private:
  BackgroundProcess process_;
  std::string url_;
};

// nginx on a folder, by HTTP and HTTPS, with listings of folders.
class Nginx {
 public:
  // `rate`: of nginx's limit_rate, "100k"; empty: none. Throws if it does not start.
  Nginx(const std::filesystem::path& files, const std::filesystem::path& scratch, const std::string& rate = {});
  static bool is_installed();

  const std::string& url() const { return url_; }
  const std::string& tls_url() const { return tls_url_; }
  // The certificate to trust.
  const std::filesystem::path& certificate() const { return certificate_; }
  // Its access log, one line per request.
  std::string requests() const;

 private:
  std::filesystem::path scratch_;
  std::filesystem::path certificate_;
  int port_;
  int tls_port_;
  std::string url_;
  std::string tls_url_;
  BackgroundProcess process_;
};

}  // namespace bertprep::test
