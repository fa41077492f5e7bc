// bertprep: turns corpora into the shards that BERT pretraining reads. This header includes the whole library except
// the trainer (bertprep/trainer/train.h).
//
//   bertprep::PipelineOptions options;
//   options.corpus.name = "tickets";
//   options.vocabulary = "sample-uncased";
//   Tickets tickets;                                            // your DocumentSource
//   bertprep::build(tickets, {.output = "dataset"}, options);
//
// To make shards, call build() (pipeline/build.h) with your DocumentSource or with files, or call its stages one by one
// (pipeline/stages.h). To fetch datasets by name, see fetch/fetch.h. To read shards, use
// ShardReader and RowStream (shard/); the small library bertprep::shard has only these.
//
// Errors are exceptions derived from bertprep::Error (base/error.h). The library never prints, never exits and keeps no
// globals. It reports through a Progress (base/progress.h).
#pragma once

#include "bertprep/base/error.h"
#include "bertprep/base/progress.h"
#include "bertprep/fetch/fetch.h"
#include "bertprep/instance/instance_set.h"
#include "bertprep/pipeline/build.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/pipeline/stages.h"
#include "bertprep/shard/manifest.h"
#include "bertprep/shard/row_stream.h"
#include "bertprep/shard/schema.h"
#include "bertprep/shard/shard_reader.h"
#include "bertprep/shard/shard_writer.h"
#include "bertprep/source/document_source.h"
#include "bertprep/source/open_source.h"
#include "bertprep/text/sentences.h"
#include "bertprep/text/text_normalizer.h"
#include "bertprep/token/text_encoder.h"
#include "bertprep/token/tokenizer.h"
#include "bertprep/token/vocab.h"
#include "bertprep/token/vocab_trainer.h"
#include "bertprep/version.h"
#include "bertprep/wiki/article_text.h"
#include "bertprep/wiki/wiki_options.h"
