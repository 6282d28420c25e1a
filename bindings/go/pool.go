package pcl

import (
	"context"
	"sync"
)

// A pool has the instances of a compiler: at most as many as run at once. Those that are idle wait
// for the next call.
type pool struct {
	// start makes a fresh instance.
	start func(context.Context) (*instance, error)
	// largest is the size of the memory from which on an instance is not used again.
	largest uint64
	// free has a token for each instance that may run.
	free chan struct{}

	mutex  sync.Mutex
	idle   []*instance
	closed bool
	// done is closed with the pool, so that callers stop waiting.
	done chan struct{}
}

func newPool(count int, largest uint64, start func(context.Context) (*instance, error)) *pool {
	free := make(chan struct{}, count)
	for range count {
		free <- struct{}{}
	}
	return &pool{start: start, largest: largest, free: free, done: make(chan struct{})}
}

// take waits for an instance.
func (p *pool) take(ctx context.Context) (*instance, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case <-p.free:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-p.done:
		return nil, ErrClosed
	}
	p.mutex.Lock()
	if p.closed {
		p.mutex.Unlock()
		p.free <- struct{}{}
		return nil, ErrClosed
	}
	if last := len(p.idle) - 1; last >= 0 {
		instance := p.idle[last]
		p.idle = p.idle[:last]
		p.mutex.Unlock()
		return instance, nil
	}
	p.mutex.Unlock()
	// The schemas that it loads outlive the call, and so does the instance.
	instance, err := p.start(context.WithoutCancel(ctx))
	if err != nil {
		p.free <- struct{}{}
		return nil, err
	}
	return instance, nil
}

// give takes an instance back. One that crashed or has grown too much is closed.
func (p *pool) give(instance *instance, sound bool) {
	if sound && instance.size() <= p.largest {
		p.mutex.Lock()
		p.idle = append(p.idle, instance)
		p.mutex.Unlock()
	} else {
		instance.close()
	}
	p.free <- struct{}{}
}

// close refuses new calls and waits for those that run.
func (p *pool) close() {
	p.mutex.Lock()
	already := p.closed
	p.closed = true
	p.mutex.Unlock()
	if already {
		return
	}
	close(p.done)
	for range cap(p.free) {
		<-p.free
	}
	for _, instance := range p.idle {
		instance.close()
	}
	p.idle = nil
}
