#include <gtest/gtest.h>

#include "fetch/address/address.h"

namespace bertprep::test {
namespace {

TEST(S3Listing, HasKeysSizesAndTheNextPage) {
  const S3Page page = parse_s3_page(
      "<?xml version=\"1.0\"?>\n<ListBucketResult xmlns=\"x\"><Name>b</Name><Prefix>Key</Prefix>\n"
      "<NextContinuationToken>1+/=</NextContinuationToken><Contents><Key>a&amp;b</Key><Size>5000000000</Size>"
      "<Owner><ID>Key</ID><Key>other</Key></Owner></Contents><Contents><Key>c</Key><Size>0</Size></Contents>"
      "</ListBucketResult>",
      "s3://b");
  ASSERT_EQ(page.objects.size(), 2U);
  EXPECT_EQ(page.objects[0].name, "a&b");
  EXPECT_EQ(page.objects[0].facts.size_bytes, 5'000'000'000U);
  EXPECT_EQ(page.objects[1].name, "c");
  EXPECT_EQ(page.next, "1+/=");
  EXPECT_EQ(page.code, "");
}

TEST(S3Listing, HasTheCodeOfAnError) {
  EXPECT_EQ(parse_s3_page("<Error><Code>NoSuchBucket</Code><Message>m</Message></Error>", "s3://b").code,
            "NoSuchBucket");
}

TEST(S3Listing, OtherAnswersAreRefused) {
  for (const char* text : {"", "no", "<html><body/></html>", "<ListBucketResult>", "<Error></ListBucketResult>"}) {
    EXPECT_THROW(parse_s3_page(text, "s3://b"), FormatError) << text;
  }
}

}  // namespace
}  // namespace bertprep::test
