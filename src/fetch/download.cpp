#include "fetch/download.h"

#include <algorithm>
#include <array>
#include <list>
#include <map>

#include "base/number_text.h"
#include "io/pending_file.h"

namespace bertprep {

namespace fs = std::filesystem;

std::string PartState::validator() const {
  if (!etag.empty() && !etag.starts_with("W/")) return etag;
  return last_modified;
}

bool PartState::differs_from(const HttpReply& reply) const {
  if (!etag.empty() && !reply.etag.empty() && etag != reply.etag) return true;
  return !last_modified.empty() && !reply.last_modified.empty() && last_modified != reply.last_modified;
}

bool PartState::is_confirmed_by(const HttpReply& reply) const {
  if (differs_from(reply)) return false;
  return (!etag.empty() && etag == reply.etag) || (!last_modified.empty() && last_modified == reply.last_modified);
}

std::optional<PartState> load_part_state(const fs::path& path) try {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  const Json json = read_json(path);
  return PartState{json.at("url").text(), json.at("etag").text(), json.at("last-modified").text(),
                   json.at("size").as_unsigned()};
} catch (const FormatError&) {
  return std::nullopt;
}

void save_part_state(const PartState& state, const fs::path& path) {
  const Json json = Json::object(
      {{"url", state.url}, {"etag", state.etag}, {"last-modified", state.last_modified}, {"size", state.size_bytes}});
  publish_bytes(path, path.parent_path(), json.dump());
}

namespace {

using std::chrono::milliseconds;

// Progress is a part that is so much larger than before: a server that always breaks after the first byte, or whose
// file begins anew each time, must not be tried forever.
constexpr std::uint64_t kProgressBytes = std::uint64_t{16} << 10U;

// A file of unknown length may use all but this share of the free space on its disk, which is checked now and then.
constexpr std::uint64_t kFreeShareLeft = 20;
constexpr std::uint64_t kDiskCheckBytes = std::uint64_t{1} << 20U;

// Many servers give the compression of a file as its encoding.
bool is_named_for_encoding(std::string_view name, std::string_view encoding) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kEndings = {
      {{".gz", "gzip"}, {".tgz", "gzip"}, {".bz2", "bzip2"}, {".zst", "zstd"}, {".xz", "xz"}, {".Z", "compress"}}};
  if (encoding.starts_with("x-")) encoding.remove_prefix(2);
  return std::ranges::any_of(
      kEndings, [&](const auto& ending) { return name.ends_with(ending.first) && encoding == ending.second; });
}

std::string megabytes(std::uint64_t bytes) {
  return std::to_string((bytes + 999'999) / 1'000'000) + " MB";
}

// DownloadMeter: the bytes of several downloads as one span of progress.
class DownloadMeter {
 public:
  // `left`: how many bytes are still to come; nothing while that is unknown.
  DownloadMeter(Progress& progress, std::function<std::optional<std::uint64_t>()> left)
      : progress_(progress), left_(std::move(left)) {}
  ~DownloadMeter() { end(); }
  DownloadMeter(const DownloadMeter&) = delete;
  DownloadMeter& operator=(const DownloadMeter&) = delete;

  // So many bytes have come.
  void advance(std::uint64_t bytes) {
    if (!running_) {
      const auto left = left_();
      progress_.begin("download", left ? *left + bytes : 0, "bytes");
    }
    running_ = true;
    progress_.advance(bytes);
  }

  // Also when received bytes are needed again: another span begins then.
  void end() {
    if (running_) progress_.end();
    running_ = false;
  }

 private:
  Progress& progress_;
  std::function<std::optional<std::uint64_t>()> left_;
  bool running_ = false;
};

// Download: one file. It says which request to make next and receives the reply; the caller makes the requests and
// decides when.
class Download final : public HttpReceiver {
 public:
  using Clock = MirrorRing::Clock;

  Download(DownloadTask task, const RetryPolicy& policy, Progress& progress, DownloadMeter& meter)
      : task_(std::move(task)),
        policy_(policy),
        progress_(progress),
        meter_(meter),
        ring_(task_.urls, policy),
        facts_meter_(task_.facts) {}

  // Locks the part and reads what exists of it. False while another process has it. Throws IoError and Cancelled.
  bool acquire() {
    part_ = ResumableFile::try_open(part_path());
    if (!part_) return false;
    // Another process may have finished it while this one waited.
    const auto record = find_record(task_.target, task_.state_folder);
    if (record && contradiction(task_.facts, record->facts).empty()) {
      part_->discard();
      done_ = true;
      return true;
    }
    read_part();
    return true;
  }

  bool is_done() const { return done_; }

  // Nothing if no server has said how large the file is.
  std::optional<std::uint64_t> left_bytes() const {
    if (done_) return 0;
    const std::uint64_t size = known_size();
    return size == 0 ? std::nullopt : std::optional(size - std::min(size, part_ ? part_->size_bytes() : 0));
  }

  // The mirror to try next. Throws as throw_failed if none is left.
  MirrorRing::Choice next(Clock::time_point now) const {
    if (const auto choice = ring_.choose(now)) return *choice;
    const std::string hint =
        "check the addresses, or give another one with `mirror`, or a copy with " + task_.copy_option;
    const std::vector<FailedSource> failed = ring_.failed_sources();
    if (task_.failed != nullptr) task_.failed->insert(task_.failed->end(), failed.begin(), failed.end());
    throw_failed("could not be fetched", name(), hint, failed);
  }

  const std::string& url(std::size_t index) const { return ring_.url(index); }
  std::vector<FailedSource> failed_sources() const { return ring_.failed_sources(); }
  std::string name() const { return task_.target.filename().string(); }

  HttpRequest begin_try(std::size_t index) {
    index_ = index;
    verdict_.reset();
    wrong_data_ = false;
    restarted_ = false;
    request_ = HttpRequest{ring_.url(index)};
    request_.credentials = task_.credentials;
    const std::uint64_t there = part_->size_bytes();
    if (there == 0) return request_;
    const bool same_url = state_.url == request_.url;
    if (same_url && !state_.validator().empty()) {
      request_.offset = there;
      request_.if_range = state_.validator();
    } else if (task_.facts.has_digest() && known_size() != 0) {
      request_.offset = there;
    } else {
      // What it had is not kept, so only what goes beyond is progress.
      const std::uint64_t reached = reached_;
      restart_part();
      reached_ = reached;
    }
    return request_;
  }

  void end_try(const HttpOutcome& outcome, Clock::time_point now) {
    if (restarted_) {
      ring_.again(index_, now);
      return;
    }
    Verdict verdict = verdict_ ? *verdict_ : judge(outcome);
    if (verdict.kind == Verdict::Kind::kGood && known_size() > part_->size_bytes()) {
      verdict = {Verdict::Kind::kTransient,
                 "ended after " + grouped(part_->size_bytes()) + " of " + counted(known_size(), "byte")};
    }
    if (verdict.kind == Verdict::Kind::kRangeRefused) {
      if (outcome.reply.range_total == part_->size_bytes()) {
        verdict.kind = Verdict::Kind::kGood;
      } else if (part_->size_bytes() != 0 && ++restarts_ <= policy_.retries) {
        restart_part();
        ring_.again(index_, now);
        return;
      }
    }
    if (verdict.kind == Verdict::Kind::kGood) return finish_or(index_);
    if (wrong_data_) {
      if (part_->size_bytes() != 0 && state_.url == request_.url) restart_part();
      ring_.give_up(index_, verdict.reason, Trouble::kOtherData);
      return report_next_try(verdict.reason, now);
    }
    if (verdict.kind == Verdict::Kind::kRangeRefused) verdict.kind = Verdict::Kind::kPermanent;
    const bool progressed = part_->size_bytes() >= reached_ + kProgressBytes;
    if (progressed) reached_ = part_->size_bytes();
    ring_.failed(index_, verdict, progressed, now);
    report_next_try(verdict.reason, now);
  }

  // Gives up and removes the part.
  void abandon() {
    std::error_code error;
    fs::remove(state_path(), error);
    part_->discard();
    part_.reset();
    done_ = true;
  }

  bool begin(const HttpReply& reply) override {
    if (reply.status != 200 && reply.status != 206) return false;
    if (reply.is_encoded() && !task_.facts.has_digest() && !is_named_for_encoding(name(), reply.content_encoding)) {
      return refuse(encoded_text(reply), true);
    }
    const bool wanted = reply.status == 200 ? begin_whole(reply) : begin_rest(reply);
    return wanted && has_room(known_size());
  }

  bool bytes(std::string_view block) override {
    const std::uint64_t size = known_size();
    if (size != 0 && part_->size_bytes() + block.size() > size) {
      return refuse("has more than " + counted(size, "byte"), true);
    }
    if (head_.size() < kMagicBytes) {
      head_ += block.substr(0, kMagicBytes - head_.size());
      if (head_.size() == kMagicBytes) {
        if (const std::string fault = fault_of_head(name(), head_, task_.facts.has_digest()); !fault.empty()) {
          return refuse(fault, true);
        }
      }
    }
    if (!append(block)) return false;
    facts_meter_.update(block);
    meter_.advance(block.size());
    return true;
  }

 private:
  fs::path part_path() const { return task_.state_folder / (name() + ".part"); }

  fs::path state_path() const { return task_.state_folder / (name() + ".part.json"); }

  std::uint64_t known_size() const { return task_.facts.size_bytes != 0 ? task_.facts.size_bytes : state_.size_bytes; }

  void read_part() {
    const std::optional<PartState> state = load_part_state(state_path());
    state_ = state.value_or(PartState{});
    if (part_->size_bytes() == 0) return;
    const std::uint64_t size = known_size();
    const bool usable = state && (task_.facts.has_digest() || !state_.validator().empty());
    if (!usable || (size != 0 && part_->size_bytes() > size)) {
      restart_part();
      return;
    }
    part_->read([this](std::string_view block) {
      if (progress_.cancelled()) throw Cancelled();
      if (head_.size() < kMagicBytes) head_ = block.substr(0, kMagicBytes);
      facts_meter_.update(block);
    });
    stitched_ = true;
    reached_ = part_->size_bytes();
    if (size != 0 && part_->size_bytes() == size) {
      finish_or(std::nullopt);
      return;
    }
    progress_.note(name() + ": " + megabytes(part_->size_bytes()) + " are already here; resuming");
  }

  void restart_part() {
    meter_.end();
    std::error_code error;
    fs::remove(state_path(), error);
    part_->restart();
    state_ = PartState{};
    facts_meter_ = FactsMeter(task_.facts);
    head_.clear();
    stitched_ = false;
    reached_ = 0;
  }

  // False if it did so too often.
  bool begin_anew(const std::string& reason) {
    if (++restarts_ > policy_.retries) return refuse("restarts each time");
    progress_.note(name() + ": " + reason + "; it is downloaded from the beginning");
    restart_part();
    return true;
  }

  bool begin_whole(const HttpReply& reply) {
    const std::uint64_t size = reply.length.value_or(0);
    if (task_.facts.size_bytes != 0 && size != 0 && size != task_.facts.size_bytes) {
      return refuse("has " + counted(size, "byte") + " instead of " + grouped(task_.facts.size_bytes), true);
    }
    if (part_->size_bytes() != 0) {
      const bool changed = state_.url == request_.url && state_.differs_from(reply);
      if (!begin_anew(changed ? "the file has changed on the server" : "the server does not serve parts of it")) {
        return false;
      }
    }
    remember(reply, size);
    return true;
  }

  bool begin_rest(const HttpReply& reply) {
    if (request_.offset == 0) return refuse("answers with a part when asked for the whole");
    const std::uint64_t total = reply.range_total.value_or(0);
    const bool other_size = total != 0 && known_size() != 0 && total != known_size();
    const bool same_url = state_.url == request_.url;
    if (!same_url && (other_size || total == 0)) return refuse("has another size", true);
    const bool changed = same_url && (other_size || state_.differs_from(reply));
    // A server without support for If-Range sends the rest of whatever file it has now.
    const bool unsure = !task_.facts.has_digest() && !state_.is_confirmed_by(reply);
    if (changed || unsure || reply.range_first != request_.offset) {
      restarted_ = begin_anew(changed  ? "the file has changed on the server"
                              : unsure ? "the server does not say whether the rest belongs to the same file"
                                       : "the server sends another part");
      return false;
    }
    stitched_ = true;
    if (!same_url) remember(reply, total);
    return true;
  }

  bool refuse(const std::string& reason, bool wrong_data = false) {
    verdict_ = Verdict{Verdict::Kind::kPermanent, reason, {}, wrong_data ? Trouble::kOtherData : Trouble::kUnusable};
    wrong_data_ = wrong_data;
    return false;
  }

  // A size that only this server names may be a lie: the others are asked first.
  bool has_room(std::uint64_t size_bytes) {
    if (size_bytes <= part_->size_bytes()) return true;
    const std::uint64_t needed = size_bytes - part_->size_bytes();
    const std::uint64_t free = fs::space(task_.state_folder).available;
    if (needed <= free) return true;
    const std::string reason = "needs " + megabytes(needed) + ", but " + megabytes(free) + " are free on its disk";
    if (task_.facts.size_bytes == 0 && ring_.live_count() > 1) {
      return refuse(reason, true);
    }
    throw IoError(reason, task_.target.string(),
                  "free some space, or choose another folder; the download then resumes");
  }

  void remember(const HttpReply& reply, std::uint64_t size_bytes) {
    state_ = PartState{request_.url, reply.etag, reply.last_modified, size_bytes};
    save_part_state(state_, state_path());
  }

  bool append(std::string_view block) {
    if (known_size() != 0) {
      part_->append(block);
      return true;
    }
    if (unmeasured_bytes_ == 0 || unmeasured_bytes_ >= kDiskCheckBytes) {
      unmeasured_bytes_ = 0;
      const std::uint64_t free = fs::space(task_.state_folder).available;
      if (free_at_first_ == 0) free_at_first_ = free;
      if (free < free_at_first_ / kFreeShareLeft) {
        return release_disk("its disk has only " + megabytes(free) + " left");
      }
    }
    unmeasured_bytes_ += block.size();
    try {
      part_->append(block);
    } catch (const IoError& error) {
      return release_disk(error.what());
    }
    return true;
  }

  // A file of unknown length may be endless, so whether it will ever fit is unknown.
  bool release_disk(const std::string& reason) {
    const std::string fault =
        "the server does not say how large it is, and after " + megabytes(part_->size_bytes()) + " " + reason;
    if (ring_.live_count() > 1) {
      restart_part();
      return refuse(fault, true);
    }
    abandon();
    throw IoError(fault, task_.target.string(),
                  "the downloaded part is removed; choose a folder on a larger disk, or another address");
  }

  // Reports where the next try goes; if none is left, an error reports everything.
  void report_next_try(const std::string& reason, Clock::time_point now) {
    const auto next = ring_.choose(now);
    if (!next) return;
    progress_.note(name() + ": " + request_.url + ": " + reason + "; trying " +
                   (next->index == index_ ? "it again" : ring_.url(next->index) + " next") +
                   pause_text(next->ready_at - now));
  }

  // How the part contradicts the known facts; empty if it doesn't.
  std::string fault() {
    found_ = facts_meter_.finish();
    facts_meter_ = FactsMeter(task_.facts);
    if (found_.size_bytes == 0 && !task_.facts.has_digest()) return "is empty";
    std::string problem = fault_of_head(name(), head_, task_.facts.has_digest());
    if (!problem.empty()) return problem;
    return contradiction(task_.facts, found_);
  }

  void finish_or(std::optional<std::size_t> index) {
    const std::string reason = fault();
    if (reason.empty()) return publish();
    const bool was_stitched = stitched_;
    restart_part();
    const bool again = was_stitched && (!index || ++restarts_ <= policy_.retries);
    if (again) progress_.note(name() + " " + reason + "; it is downloaded again from the beginning");
    if (!index) return;
    if (again) return ring_.again(*index, Clock::now());
    ring_.give_up(*index, reason, Trouble::kOtherData);
    report_next_try(reason, Clock::now());
  }

  void publish() {
    part_->publish(task_.target);
    std::error_code error;
    fs::remove(state_path(), error);
    save_record({found_, state_.url, true}, task_.target, task_.state_folder);
    done_ = true;
    if (!task_.facts.has_digest() && task_.note_unchecked) {
      progress_.note(name() + " is unchecked, because its digest is unknown; its sha256 is " + found_.sha256);
    }
  }

  DownloadTask task_;
  RetryPolicy policy_;
  Progress& progress_;
  DownloadMeter& meter_;
  MirrorRing ring_;
  std::optional<ResumableFile> part_{};
  PartState state_{};
  FactsMeter facts_meter_;
  FileFacts found_{};
  std::string head_{};  // the first bytes

  // Of the current try.
  std::size_t index_ = 0;
  HttpRequest request_{};
  std::optional<Verdict> verdict_{};  // why it was stopped
  bool wrong_data_ = false;
  bool restarted_ = false;              // the existing part proved useless: try again at once
  std::uint64_t unmeasured_bytes_ = 0;  // since free space was last checked
  std::uint64_t free_at_first_ = 0;     // on the disk

  std::uint64_t reached_ = 0;  // the size of the part at the last progress
  std::int64_t restarts_ = 0;
  bool stitched_ = false;  // the part comes from more than one response
  bool done_ = false;
};

using Clock = Download::Clock;

// How long a cancellation may go unnoticed.
constexpr milliseconds kLongestWait{200};
constexpr milliseconds kOtherProcessInterval{1000};
// Files whose parts may be open at the same time.
constexpr std::ptrdiff_t kMaxOpen = 16;

struct Slot {
  enum class State { kForeign, kWaiting, kRunning, kDone };

  Slot(DownloadTask task, const RetryPolicy& policy, Progress& progress, DownloadMeter& meter)
      : download(std::move(task), policy, progress, meter) {}

  Download download;
  State state = State::kForeign;  // another process may have it
  Clock::time_point check_at{};
  bool is_reported = false;
  std::string host{};
};

class Queue {
 public:
  Queue(const std::vector<DownloadTask>& tasks, const FetchOptions& options, const RetryPolicy& policy,
        Progress& progress, bool skip_failures)
      : options_(options), progress_(progress), skip_failures_(skip_failures), client_(options) {
    for (const DownloadTask& task : tasks) slots_.emplace_back(task, policy, progress, meter_);
  }

  void run() {
    while (std::ranges::any_of(slots_, [](const Slot& slot) { return slot.state != Slot::State::kDone; })) {
      if (progress_.cancelled()) throw Cancelled();
      const auto now = Clock::now();
      auto next = now + kLongestWait;
      for (Slot& slot : slots_) {
        if (slot.state == Slot::State::kForeign) acquire(slot, now);
        if (slot.state == Slot::State::kWaiting) next = std::min(next, start(slot, now));
      }
      wait(std::max(milliseconds(1), std::chrono::duration_cast<milliseconds>(next - now)));
    }
  }

 private:
  std::optional<std::uint64_t> left_bytes() const {
    std::uint64_t sum = 0;
    for (const Slot& slot : slots_) {
      const auto left = slot.download.left_bytes();
      if (!left) return std::nullopt;
      sum += *left;
    }
    return sum;
  }

  void acquire(Slot& slot, Clock::time_point now) {
    const auto is_open = [](const Slot& one) {
      return one.state == Slot::State::kWaiting || one.state == Slot::State::kRunning;
    };
    if (slot.check_at > now || std::ranges::count_if(slots_, is_open) >= kMaxOpen) return;
    slot.check_at = now + kOtherProcessInterval;
    if (slot.download.acquire()) {
      slot.state = slot.download.is_done() ? Slot::State::kDone : Slot::State::kWaiting;
    } else if (!slot.is_reported) {
      slot.is_reported = true;
      progress_.note("another process is downloading " + slot.download.name() + "; waiting for it");
    }
  }

  // Starts the slot if its time has come and its host has a free connection; returns when to check again.
  Clock::time_point start(Slot& slot, Clock::time_point now) {
    const auto choice = next_mirror(slot, now);
    if (!choice) return now;
    if (choice->ready_at > now) return choice->ready_at;
    const std::string host = host_of(slot.download.url(choice->index));
    if (connections_[host] >= options_.connections) return now + kLongestWait;
    slot.host = host;
    ++connections_[host];
    slot.state = Slot::State::kRunning;
    client_.start(slot.download.begin_try(choice->index), slot.download);
    return now + kLongestWait;
  }

  // Nothing if the slot has failed and the others continue.
  std::optional<MirrorRing::Choice> next_mirror(Slot& slot, Clock::time_point now) {
    try {
      return slot.download.next(now);
    } catch (const Error&) {
      if (!skip_failures_) throw;
      progress_.skipped({slot.download.name(), "could not be fetched: " + in_one_line(slot.download.failed_sources())});
      slot.download.abandon();
      slot.state = Slot::State::kDone;
      return std::nullopt;
    }
  }

  void wait(milliseconds longest) {
    for (const HttpClient::Finished& finished : client_.wait(longest)) {
      const auto slot =
          std::ranges::find_if(slots_, [&](const Slot& one) { return &one.download == finished.receiver; });
      --connections_[slot->host];
      slot->download.end_try(finished.outcome, Clock::now());
      slot->state = slot->download.is_done() ? Slot::State::kDone : Slot::State::kWaiting;
    }
  }

  const FetchOptions& options_;
  Progress& progress_;
  bool skip_failures_;
  DownloadMeter meter_{progress_, [this] { return left_bytes(); }};
  std::list<Slot> slots_;
  std::map<std::string, std::int64_t> connections_;
  HttpClient client_;  // last: ends its transfers before the slots are destroyed
};

}  // namespace

void download_all(const std::vector<DownloadTask>& tasks, const FetchOptions& options, const RetryPolicy& policy,
                  Progress& progress, bool skips_failures) {
  if (!tasks.empty()) Queue(tasks, options, policy, progress, skips_failures).run();
}

}  // namespace bertprep
