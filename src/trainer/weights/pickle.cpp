// A machine with a stack, after the list of operations in Python's Lib/pickletools.py. Values are kept in one array and
// named by their places in it, so that neither depth nor circles cost anything.
#include "trainer/weights/pickle.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>
#include <utility>

#include "trainer/weights/pickle_bytes.h"

namespace bertprep {
namespace {

using Kind = PickleValue::Kind;

constexpr std::size_t kMostValues = 4'000'000;
constexpr const char* kSaveAgain = "save it again with torch.save and its own pickle_protocol";
constexpr const char* kDamaged = "the file is damaged: get it again";

// In place of a count: what lies above the mark.
constexpr int kToMark = -1;

class PickleMachine {
 public:
  PickleMachine(std::string_view bytes, const std::string& where) : bytes_(bytes, where) {}
  PickleTree run();

 private:
  struct Operation {
    char code;
    void (PickleMachine::*run)(int argument);
    int argument = 0;
  };
  static const std::array<Operation, 54> kOperations;
  static const Operation* find_operation(char code);

  void check_protocol();

  // Numbers: `width` is bytes of the number, or of its length.
  void none(int) { push({.kind = Kind::None}); }
  void boolean(int value) { push({.kind = Kind::Bool, .integer = value}); }
  void small(int width) { push({.kind = Kind::Integer, .integer = static_cast<std::int64_t>(number(width))}); }
  void four_bytes(int) { push_number(bytes_.take(4)); }
  void any_bytes(int width) { push_number(counted(width)); }
  void line_integer(int);
  void real(int width);
  // Texts: `width` is bytes of the length.
  void text(int width) { push({.kind = Kind::Text, .text = counted(width)}); }
  void bytes(int width) { push({.kind = Kind::Bytes, .text = counted(width)}); }
  // Containers: of `count` values.
  void tuple(int count) { push_items(Kind::Tuple, pop_last(count)); }
  void list(int count) { push_items(Kind::List, pop_last(count)); }
  void dict(int count);
  void append(int count) { add_items(pop_last(count), Kind::List); }
  void set_items(int count) { add_items(pop_last(count), Kind::Dict); }
  // Values that are met again: `width` is bytes of their number, 0 when it is the next.
  void memo_put(int width);
  void memo_get(int width);
  // Objects.
  void global_of_lines(int);
  void global_of_stack(int);
  void call_with(int extra);
  void inst(int);
  void object(int);
  void stored(int) { push({.kind = Kind::Stored, .arguments = pop()}); }
  void build(int);
  // The stack.
  void mark(int) { marks_.push_back(stack_.size()); }
  void pop_mark(int) { pop_last(kToMark); }
  void pop_one(int);
  void duplicate(int) { stack_.push_back(top()); }
  void frame(int width) { bytes_.take(static_cast<std::uint64_t>(width)); }

  std::uint64_t number(int width) { return bytes_.number(static_cast<std::size_t>(width)); }
  std::string_view counted(int width) { return bytes_.counted(static_cast<std::size_t>(width)); }
  [[noreturn]] void fail_large() const;
  void push(PickleValue value);
  void push_number(std::string_view digits);
  void push_items(Kind kind, std::vector<PickleId> items) { push({.kind = kind, .items = std::move(items)}); }
  void push_call(PickleId callable, PickleId arguments);
  PickleId pop();
  PickleId top();
  std::size_t open_mark() const { return marks_.empty() ? 0 : marks_.back(); }
  std::vector<PickleId> pop_last(int count);
  void add_items(const std::vector<PickleId>& items, Kind plain);

  PickleBytes bytes_;
  PickleTree tree_;
  std::vector<PickleId> stack_;
  std::vector<std::size_t> marks_;  // sizes of the stack
  std::unordered_map<std::uint64_t, PickleId> memo_;
};

const std::array<PickleMachine::Operation, 54> PickleMachine::kOperations{{
    {'N', &PickleMachine::none},
    {'\x88', &PickleMachine::boolean, 1},
    {'\x89', &PickleMachine::boolean, 0},
    {'K', &PickleMachine::small, 1},
    {'M', &PickleMachine::small, 2},
    {'J', &PickleMachine::four_bytes},
    {'\x8a', &PickleMachine::any_bytes, 1},
    {'\x8b', &PickleMachine::any_bytes, 4},
    {'I', &PickleMachine::line_integer},  // of Python 2, beyond 32 bits
    {'G', &PickleMachine::real, 8},
    {'U', &PickleMachine::text, 1},
    {'T', &PickleMachine::text, 4},
    {'\x8c', &PickleMachine::text, 1},
    {'X', &PickleMachine::text, 4},
    {'\x8d', &PickleMachine::text, 8},
    {'C', &PickleMachine::bytes, 1},
    {'B', &PickleMachine::bytes, 4},
    {'\x8e', &PickleMachine::bytes, 8},
    {'\x96', &PickleMachine::bytes, 8},
    {')', &PickleMachine::tuple, 0},
    {'\x85', &PickleMachine::tuple, 1},
    {'\x86', &PickleMachine::tuple, 2},
    {'\x87', &PickleMachine::tuple, 3},
    {'t', &PickleMachine::tuple, kToMark},
    {']', &PickleMachine::list, 0},
    {'\x8f', &PickleMachine::list, 0},  // a set
    {'l', &PickleMachine::list, kToMark},
    {'\x91', &PickleMachine::list, kToMark},  // a frozen set
    {'}', &PickleMachine::dict, 0},
    {'d', &PickleMachine::dict, kToMark},
    {'a', &PickleMachine::append, 1},
    {'e', &PickleMachine::append, kToMark},
    {'\x90', &PickleMachine::append, kToMark},  // to a set
    {'s', &PickleMachine::set_items, 2},
    {'u', &PickleMachine::set_items, kToMark},
    {'q', &PickleMachine::memo_put, 1},
    {'r', &PickleMachine::memo_put, 4},
    {'\x94', &PickleMachine::memo_put, 0},
    {'h', &PickleMachine::memo_get, 1},
    {'j', &PickleMachine::memo_get, 4},
    {'c', &PickleMachine::global_of_lines},
    {'\x93', &PickleMachine::global_of_stack},
    {'R', &PickleMachine::call_with, 0},
    {'\x81', &PickleMachine::call_with, 0},
    {'\x92', &PickleMachine::call_with, 1},  // arguments by name
    {'i', &PickleMachine::inst},
    {'o', &PickleMachine::object},
    {'Q', &PickleMachine::stored},
    {'b', &PickleMachine::build},
    {'(', &PickleMachine::mark},
    {'1', &PickleMachine::pop_mark},
    {'0', &PickleMachine::pop_one},
    {'2', &PickleMachine::duplicate},
    {'\x95', &PickleMachine::frame, 8},  // what follows as one piece
}};

const PickleMachine::Operation* PickleMachine::find_operation(char code) {
  const auto* found =
      std::find_if(kOperations.begin(), kOperations.end(), [&](auto& known) { return known.code == code; });
  return found == kOperations.end() ? nullptr : found;
}

PickleTree PickleMachine::run() {
  check_protocol();
  while (true) {
    const char code = bytes_.take(1).front();
    if (code == '.') break;
    const Operation* operation = find_operation(code);
    if (operation == nullptr) {
      bytes_.fail("has an operation that is not known, " + std::to_string(static_cast<unsigned char>(code)),
                  kSaveAgain);
    }
    (this->*operation->run)(operation->argument);
  }
  tree_.root = pop();
  tree_.size_bytes = bytes_.position();
  return std::move(tree_);
}

void PickleMachine::check_protocol() {
  constexpr char kProtocol = '\x80';
  if (bytes_.take(1).front() != kProtocol) bytes_.fail("does not begin as one", kSaveAgain);
  const std::uint64_t protocol = bytes_.number(1);
  if (protocol < 2 || protocol > 5) bytes_.fail("has protocol " + std::to_string(protocol), kSaveAgain);
}

void PickleMachine::line_integer(int) {
  const std::string_view digits = bytes_.line();
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) bytes_.fail("has a number that is none", kDamaged);
  push({.kind = Kind::Integer, .integer = value});
}

void PickleMachine::real(int width) {
  bytes_.take(static_cast<std::uint64_t>(width));
  push({.kind = Kind::Real});
}

void PickleMachine::dict(int count) {
  std::vector<PickleId> items = pop_last(count);
  if (items.size() % 2 != 0) bytes_.fail("has a key without a value", kDamaged);
  push_items(Kind::Dict, std::move(items));
}

void PickleMachine::memo_put(int width) {
  const std::uint64_t place = width == 0 ? memo_.size() : number(width);
  memo_[place] = top();
  if (memo_.size() > kMostValues) fail_large();
}

void PickleMachine::memo_get(int width) {
  const auto found = memo_.find(number(width));
  if (found == memo_.end()) bytes_.fail("refers to a value that is not there", kDamaged);
  stack_.push_back(found->second);
}

void PickleMachine::global_of_lines(int) {
  push({.kind = Kind::Text, .text = bytes_.line()});
  push({.kind = Kind::Text, .text = bytes_.line()});
  push_items(Kind::Global, pop_last(2));
}

void PickleMachine::global_of_stack(int) {
  std::vector<PickleId> names = pop_last(2);
  for (const PickleId id : names) {
    if (tree_.at(id).kind != Kind::Text) bytes_.fail("has a name that is no text", kDamaged);
  }
  push_items(Kind::Global, std::move(names));
}

void PickleMachine::call_with(int extra) {
  if (extra > 0) pop();
  const PickleId arguments = pop();
  push_call(pop(), arguments);
}

// Classes of Python 2: arguments in front of the name, or behind the class.
void PickleMachine::inst(int) {
  push_items(Kind::Tuple, pop_last(kToMark));
  global_of_lines(0);
  const PickleId callable = pop();
  push_call(callable, pop());
}

void PickleMachine::object(int) {
  std::vector<PickleId> items = pop_last(kToMark);
  if (items.empty()) bytes_.fail("has an object without a class", kDamaged);
  const PickleId callable = items.front();
  items.erase(items.begin());
  push_items(Kind::Tuple, std::move(items));
  push_call(callable, pop());
}

void PickleMachine::build(int) {
  const PickleId state = pop();
  tree_.values[top()].state = state;
}

// Takes a mark away, too, when nothing lies above it.
void PickleMachine::pop_one(int) {
  if (!marks_.empty() && marks_.back() == stack_.size()) {
    marks_.pop_back();
  } else {
    pop();
  }
}

void PickleMachine::fail_large() const {
  bytes_.fail("has more than " + std::to_string(kMostValues) + " values", "save the state dict alone");
}

void PickleMachine::push(PickleValue value) {
  if (tree_.values.size() >= kMostValues) fail_large();
  stack_.push_back(static_cast<PickleId>(tree_.values.size()));
  tree_.values.push_back(std::move(value));
}

void PickleMachine::push_number(std::string_view digits) {
  if (digits.size() > 8) return push({.kind = Kind::Long, .text = digits});
  const bool negative = !digits.empty() && (static_cast<unsigned char>(digits.back()) & 0x80U) != 0;
  std::uint64_t value = negative ? ~std::uint64_t{0} : 0;
  for (std::size_t i = digits.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(digits[i]);
  push({.kind = Kind::Integer, .integer = static_cast<std::int64_t>(value)});
}

void PickleMachine::push_call(PickleId callable, PickleId arguments) {
  push({.kind = Kind::Call, .callable = callable, .arguments = arguments});
}

PickleId PickleMachine::top() {
  if (stack_.size() <= open_mark()) bytes_.fail("takes a value that is not there", kDamaged);
  return stack_.back();
}

PickleId PickleMachine::pop() {
  const PickleId id = top();
  stack_.pop_back();
  return id;
}

std::vector<PickleId> PickleMachine::pop_last(int count) {
  if (count == kToMark && marks_.empty()) bytes_.fail("ends a list that did not begin", kDamaged);
  const std::size_t above = stack_.size() - open_mark();
  const std::size_t taken = count == kToMark ? above : static_cast<std::size_t>(count);
  if (taken > above) bytes_.fail("takes a value that is not there", kDamaged);
  std::vector<PickleId> items(stack_.end() - static_cast<std::ptrdiff_t>(taken), stack_.end());
  stack_.resize(stack_.size() - taken);
  if (count == kToMark) marks_.pop_back();
  return items;
}

void PickleMachine::add_items(const std::vector<PickleId>& items, Kind plain) {
  if (plain == Kind::Dict && items.size() % 2 != 0) bytes_.fail("has a key without a value", kDamaged);
  PickleValue& container = tree_.values[top()];
  if (container.kind != plain && container.kind != Kind::Call) {
    bytes_.fail("puts values into what is no container", kDamaged);
  }
  container.items.insert(container.items.end(), items.begin(), items.end());
}

}  // namespace

bool PickleTree::is_global(PickleId id, std::string_view module, std::string_view name) const {
  return id != kNoPickleId && at(id).kind == Kind::Global && at(at(id).items[0]).text == module &&
         at(at(id).items[1]).text == name;
}

bool PickleTree::calls(PickleId id, std::string_view module, std::string_view name) const {
  return id != kNoPickleId && at(id).kind == Kind::Call && is_global(at(id).callable, module, name);
}

const std::vector<PickleId>* PickleTree::tuple_items(PickleId id) const {
  return id != kNoPickleId && at(id).kind == Kind::Tuple ? &at(id).items : nullptr;
}

PickleTree parse_pickle(std::string_view bytes, const std::string& where) {
  return PickleMachine(bytes, where).run();
}

}  // namespace bertprep
