package pcl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
)

// documents are the schemas that were loaded, which all instances share: an instance reads parts of
// them. Each request is put to the loader once, unless it fails.
type documents struct {
	loader Loader

	mutex sync.Mutex
	// A document by its number, from 1 on.
	texts [][]byte
	known map[PackageRequest]*loading
}

// loading is a request that is or was put to the loader.
type loading struct {
	// turn is held by who asks the loader.
	turn   chan struct{}
	number uint32
}

// mostBytes is the size of the largest schema.
const mostBytes = 1 << 30

func newDocuments(loader Loader) *documents {
	return &documents{loader: loader, known: map[PackageRequest]*loading{}}
}

// find returns the number and the length of the document for a request; 0 if there is none.
func (d *documents) find(ctx context.Context, request PackageRequest) (number, length uint32, err error) {
	d.mutex.Lock()
	entry := d.known[request]
	if entry == nil {
		entry = &loading{turn: make(chan struct{}, 1)}
		d.known[request] = entry
	}
	d.mutex.Unlock()
	select {
	case entry.turn <- struct{}{}:
		defer func() { <-entry.turn }()
	case <-ctx.Done():
		return 0, 0, ctx.Err()
	}
	if entry.number == 0 {
		document, err := load(ctx, d.loader, request)
		if errors.Is(err, fs.ErrNotExist) || err == nil && document == nil {
			return 0, 0, nil
		}
		if err != nil {
			return 0, 0, err
		}
		if len(document) > mostBytes {
			return 0, 0, fmt.Errorf("it has %d bytes, and a schema at most %d", len(document), mostBytes)
		}
		entry.number = d.add(document)
	}
	return entry.number, uint32(len(d.text(entry.number))), nil
}

// add keeps a document, once if several requests have the same one, and returns its number.
func (d *documents) add(document []byte) uint32 {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	for i, known := range d.texts {
		if bytes.Equal(known, document) {
			return uint32(i + 1)
		}
	}
	d.texts = append(d.texts, document)
	return uint32(len(d.texts))
}

// text returns a document by its number.
func (d *documents) text(number uint32) []byte {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if number == 0 || uint64(number) > uint64(len(d.texts)) {
		return nil
	}
	return d.texts[number-1]
}

// load calls a loader. Its panic must not unwind the frames of the module.
func load(ctx context.Context, loader Loader, request PackageRequest) (document []byte, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("the loader panicked: %v", value)
		}
	}()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return loader.Load(ctx, request)
}
