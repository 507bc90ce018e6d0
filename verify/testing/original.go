// Reads a log with the code of the Go project's own checksum database, the first tiled log: golang.org/x/mod/sumdb.
// Takes on its input the log's files as JSON, checks signatures, tiles, entries and proofs, and gives its own proofs back.
package main

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type input struct {
	Vkey string `json:"vkey"`
	// Checkpoints of one log, the smallest first; the files are of the last one.
	Checkpoints []string          `json:"checkpoints"`
	Files       map[string][]byte `json:"files"`
	// Proofs of the entries of the last checkpoint, and from each earlier checkpoint to the last one.
	Inclusion   map[int64][][]byte `json:"inclusion"`
	Consistency map[int64][][]byte `json:"consistency"`
}

type output struct {
	Size        int64              `json:"size"`
	Inclusion   map[int64][][]byte `json:"inclusion"`
	Consistency map[int64][][]byte `json:"consistency"`
}

func must(err error, what ...any) {
	if err != nil {
		fmt.Fprintln(os.Stderr, append(what, err)...)
		os.Exit(1)
	}
}

// A checkpoint's body differs from that of the Go project in its first line alone.
func open(text string, verifiers note.Verifiers) tlog.Tree {
	opened, err := note.Open([]byte(text), verifiers)
	must(err, "note")
	lines := strings.Split(opened.Text, "\n")
	tree, err := tlog.ParseTree([]byte("go.sum database tree\n" + strings.Join(lines[1:], "\n")))
	must(err, "tree", opened.Text)
	return tree
}

// The tiles of C2SP are those of the Go project of height 8, without the height in their path.
type tiles map[string][]byte

func path(tile tlog.Tile) string {
	return "tile/" + strings.TrimPrefix(tile.Path(), "tile/8/")
}

func (tiles) Height() int { return 8 }

func (files tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var found [][]byte
	for _, tile := range wanted {
		data, has := files[path(tile)]
		if !has {
			return nil, fmt.Errorf("no %s", path(tile))
		}
		found = append(found, data)
	}
	return found, nil
}

func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func hashes(lines [][]byte) (proof []tlog.Hash) {
	for _, line := range lines {
		hash, err := tlog.ParseHash(base64.StdEncoding.EncodeToString(line))
		must(err, "hash")
		proof = append(proof, hash)
	}
	return proof
}

func lines(proof []tlog.Hash) [][]byte {
	found := [][]byte{}
	for _, hash := range proof {
		found = append(found, append([]byte{}, hash[:]...))
	}
	return found
}

func entries(files tiles, size int64) (found [][]byte) {
	for index := int64(0); index*256 < size; index++ {
		width := min(256, size-index*256)
		bundle := files[strings.Replace(path(tlog.Tile{H: 8, L: 0, N: index, W: int(width)}), "tile/0/", "tile/entries/", 1)]
		for len(bundle) > 0 {
			end := 2 + int(binary.BigEndian.Uint16(bundle))
			found = append(found, bundle[2:end])
			bundle = bundle[end:]
		}
	}
	return found
}

func min(a, b int64) int64 {
	if a < b {
		return a
	}
	return b
}

func main() {
	var in input
	must(json.NewDecoder(os.Stdin).Decode(&in), "input")
	verifier, err := note.NewVerifier(in.Vkey)
	must(err, "vkey")
	verifiers := note.VerifierList(verifier)
	newest := open(in.Checkpoints[len(in.Checkpoints)-1], verifiers)
	// This reader authenticates every tile that it reads against the root.
	reader := tlog.TileHashReader(newest, tiles(in.Files))
	out := output{newest.N, map[int64][][]byte{}, map[int64][][]byte{}}

	all := entries(in.Files, newest.N)
	if int64(len(all)) != newest.N {
		must(fmt.Errorf("%d entries instead of %d", len(all), newest.N))
	}
	for index, entry := range all {
		found, err := reader.ReadHashes([]int64{tlog.StoredHashIndex(0, int64(index))})
		must(err, "tile of entry "+strconv.Itoa(index))
		if found[0] != tlog.RecordHash(entry) {
			must(fmt.Errorf("entry %d is not in its tile", index))
		}
	}
	for index, theirs := range in.Inclusion {
		leaf := tlog.RecordHash(all[index])
		must(tlog.CheckRecord(hashes(theirs), newest.N, newest.Hash, index, leaf), "inclusion of", index)
		ours, err := tlog.ProveRecord(newest.N, index, reader)
		must(err, "prove record", index)
		out.Inclusion[index] = lines(ours)
	}
	for _, text := range in.Checkpoints[:len(in.Checkpoints)-1] {
		older := open(text, verifiers)
		must(tlog.CheckTree(hashes(in.Consistency[older.N]), newest.N, newest.Hash, older.N, older.Hash), "consistency from", older.N)
		ours, err := tlog.ProveTree(newest.N, older.N, reader)
		must(err, "prove tree", older.N)
		out.Consistency[older.N] = lines(ours)
	}
	must(json.NewEncoder(os.Stdout).Encode(out))
}
