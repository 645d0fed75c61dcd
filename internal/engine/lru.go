package engine

import "container/list"

// lru is a map that forgets what was used longest ago, bounded in entries and in bytes. It is not safe for concurrent
// use.
type lru[K comparable, V any] struct {
	entries map[K]*list.Element
	order   *list.List // front: used last
	most    int
	bytes   int
	maximum int
}

type lruEntry[K comparable, V any] struct {
	key   K
	value V
	size  int
}

// newLRU makes one that holds at most n entries, and at most maximum bytes of what put says they weigh; 0 is no bound.
func newLRU[K comparable, V any](n, maximum int) *lru[K, V] {
	return &lru[K, V]{entries: map[K]*list.Element{}, order: list.New(), most: n, maximum: maximum}
}

func (l *lru[K, V]) get(k K) (v V, ok bool) {
	e, ok := l.entries[k]
	if !ok {
		return v, false
	}
	l.order.MoveToFront(e)
	return e.Value.(*lruEntry[K, V]).value, true
}

func (l *lru[K, V]) put(k K, v V, size int) {
	if e, ok := l.entries[k]; ok {
		entry := e.Value.(*lruEntry[K, V])
		l.bytes += size - entry.size
		entry.value, entry.size = v, size
		l.order.MoveToFront(e)
	} else {
		l.entries[k] = l.order.PushFront(&lruEntry[K, V]{k, v, size})
		l.bytes += size
	}
	for len(l.entries) > l.most || l.maximum > 0 && l.bytes > l.maximum && len(l.entries) > 1 {
		l.remove(l.order.Back())
	}
}

func (l *lru[K, V]) delete(k K) bool {
	e, ok := l.entries[k]
	if ok {
		l.remove(e)
	}
	return ok
}

func (l *lru[K, V]) remove(e *list.Element) {
	entry := l.order.Remove(e).(*lruEntry[K, V])
	delete(l.entries, entry.key)
	l.bytes -= entry.size
}
