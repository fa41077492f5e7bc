#include "trainer/weights/pickle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bertprep/base/error.h"

namespace bertprep::test {
namespace {

using Kind = PickleValue::Kind;
using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;

PickleTree parsed(const std::string& operations) {
  // The tree's texts are views of it.
  static std::string bytes;
  bytes = "\x80\x02" + operations;
  return parse_pickle(bytes, "FILE");
}

std::string refusal(const std::string& operations) {
  try {
    parsed(operations);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "nothing thrown";
}

std::int64_t integer(const std::string& operations) {
  const PickleTree tree = parsed(operations);
  EXPECT_EQ(tree.at(tree.root).kind, Kind::Integer);
  return tree.at(tree.root).integer;
}

TEST(PickleTest, ReadsNumbers) {
  EXPECT_EQ(integer("K\xff."), 255);
  EXPECT_EQ(integer("M\x01\x02."), 513);
  EXPECT_EQ(integer("J\xfe\xff\xff\xff."), -2);
  EXPECT_EQ(integer("\x8a\x00."s), 0);
  EXPECT_EQ(integer("\x8a\x02\x00\x80."s), -32768);
  EXPECT_EQ(integer("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f."), INT64_MAX);
  EXPECT_EQ(integer("\x8b\x01\x00\x00\x00\x05."s), 5);
  EXPECT_EQ(integer("I-12345678901\n."), -12345678901);
  const PickleTree large = parsed(
      "\x8a\x09"
      "123456789.");
  EXPECT_EQ(large.at(large.root).kind, Kind::Long);
  EXPECT_EQ(large.at(large.root).text, "123456789");
}

TEST(PickleTest, ReadsTexts) {
  for (const std::string& text :
       {"U\x02hi."s, "T\x02\0\0\0hi."s, "X\x02\0\0\0hi."s, "\x8c\x02hi."s, "\x8d\x02\0\0\0\0\0\0\0hi."s}) {
    const PickleTree tree = parsed(text);
    EXPECT_EQ(tree.at(tree.root).kind, Kind::Text);
    EXPECT_EQ(tree.at(tree.root).text, "hi");
  }
}

TEST(PickleTest, ReadsContainers) {
  // {1: [2, (3, 4)]}, the list put in the dict before it is filled
  const PickleTree tree = parsed(
      "}q\x00K\x01]q\x01sh\x01(K\x02K\x03K\x04\x86"
      "e0h\x00."s);
  const PickleValue& dict = tree.at(tree.root);
  ASSERT_EQ(dict.kind, Kind::Dict);
  ASSERT_EQ(dict.items.size(), 2U);
  const PickleValue& list = tree.at(dict.items[1]);
  ASSERT_EQ(list.items.size(), 2U);
  EXPECT_EQ(tree.at(list.items[0]).integer, 2);
  EXPECT_EQ(tree.at(list.items[1]).kind, Kind::Tuple);
  EXPECT_EQ(tree.at(tree.at(list.items[1]).items[1]).integer, 4);
}

TEST(PickleTest, CallsAreValues) {
  const PickleTree tree = parsed("cos\nsystem\nU\x04ls -\x85R}b.");
  const PickleValue& call = tree.at(tree.root);
  ASSERT_EQ(call.kind, Kind::Call);
  EXPECT_TRUE(tree.is_global(call.callable, "os", "system"));
  EXPECT_FALSE(tree.is_global(call.callable, "os", "syste"));
  EXPECT_EQ(tree.at(tree.at(call.arguments).items[0]).text, "ls -");
  // Classes of Python 2, new objects, names on the stack
  for (const char* other : {"(K\x01ia\nb\n.", "(ca\nb\nK\x01o.", "ca\nb\nK\x01\x85\x81.", "ca\nb\nK\x01\x85}\x92.",
                            "\x8c\x01"
                            "a\x8c\x01"
                            "b\x93K\x01\x85R."}) {
    const PickleTree same = parsed(other);
    EXPECT_TRUE(same.is_global(same.at(same.root).callable, "a", "b")) << other;
    EXPECT_EQ(same.at(same.at(same.root).arguments).items.size(), 1U) << other;
  }
}

TEST(PickleTest, WhatFollowsIsLeftAlone) {
  const PickleTree tree = parsed("N.more");
  EXPECT_EQ(tree.size_bytes, 4U);
  EXPECT_EQ(tree.at(tree.root).kind, Kind::None);
}

TEST(PickleTest, MayHoldItself) {
  const PickleTree tree = parsed(
      "]q\x00h\x00"
      "a."s);
  EXPECT_THAT(tree.at(tree.root).items, ElementsAre(tree.root));
}

TEST(PickleTest, DepthCostsNothing) {
  const std::string lists(1'000'000, ']');
  EXPECT_EQ(parsed(lists + std::string(999'999, 'a') + ".").values.size(), 1'000'000U);
  EXPECT_EQ(parsed(std::string(1'000'000, '(') + "N.").values.size(), 1U);
}

TEST(PickleTest, HugePlacesInTheMemoCostNothing) {
  const PickleTree tree = parsed(
      "Nr\xff\xff\xff\xff"
      "0j\xff\xff\xff\xff.");
  EXPECT_EQ(tree.at(tree.root).kind, Kind::None);
}

TEST(PickleTest, RefusesWhatIsNoPickle) {
  EXPECT_THAT(refusal(""), HasSubstr("FILE: the pickle ends too soon (byte 2 of it)"));
  EXPECT_THAT(refusal("."), HasSubstr("takes a value that is not there"));
  EXPECT_THAT(refusal("h\x05."), HasSubstr("refers to a value"));
  EXPECT_THAT(refusal("q\x05."), HasSubstr("takes a value"));
  EXPECT_THAT(refusal("N(\x85."), HasSubstr("takes a value"));
  EXPECT_THAT(refusal("N(."), HasSubstr("takes a value"));
  EXPECT_THAT(refusal("t."), HasSubstr("did not begin"));
  EXPECT_THAT(refusal("}(Nu."), HasSubstr("key without a value"));
  EXPECT_THAT(refusal("(Nd."), HasSubstr("key without a value"));
  EXPECT_THAT(refusal("NNa."), HasSubstr("no container"));
  EXPECT_THAT(refusal("NN\x93."), HasSubstr("no text"));
  EXPECT_THAT(refusal("(o."), HasSubstr("without a class"));
  EXPECT_THAT(refusal("I1x\n."), HasSubstr("a number that is none"));
  EXPECT_THAT(refusal("X\xff\xff\xff\xffhi."), HasSubstr("ends too soon"));
  EXPECT_THAT(refusal("\x8d\xff\xff\xff\xff\xff\xff\xff\xffhi."), HasSubstr("ends too soon"));
  EXPECT_THAT(refusal("ca."), HasSubstr("ends too soon"));
  EXPECT_THAT(refusal("\xff."), HasSubstr("not known, 255"));
  EXPECT_THROW(parse_pickle("\x80\x06N.", "FILE"), FormatError);
  EXPECT_THROW(parse_pickle("N.", "FILE"), FormatError);
}

TEST(PickleTest, RefusesMoreValuesThanAnyModelHas) {
  EXPECT_THAT(refusal(std::string(4'000'001, 'N') + "."), HasSubstr("more than 4000000 values"));
  EXPECT_THAT(refusal("N" + std::string(4'000'001, '\x94') + "."), HasSubstr("more than 4000000 values"));
}

}  // namespace
}  // namespace bertprep::test
