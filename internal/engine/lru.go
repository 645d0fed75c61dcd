package engine

import "container/list"

// lru is a map that forgets what was used longest ago, bounded in entries and in weight. It is not safe for concurrent
// use.
type lru[K comparable, V any] struct {
	entries map[K]*list.Element
	order   *list.List // front: used last
	most    int
	weight  int
	heavy   int
	dropped func(K, V) // called for each entry that goes, however it goes; may be nil
}

type lruEntry[K comparable, V any] struct {
	key    K
	value  V
	weight int
}

// newLRU makes one that holds at most n entries, and at most heavy of what put says they weigh; 0 is no bound.
func newLRU[K comparable, V any](n, heavy int) *lru[K, V] {
	return &lru[K, V]{entries: map[K]*list.Element{}, order: list.New(), most: n, heavy: heavy}
}

func (l *lru[K, V]) get(k K) (v V, ok bool) {
	e, ok := l.entries[k]
	if !ok {
		return v, false
	}
	l.order.MoveToFront(e)
	return e.Value.(*lruEntry[K, V]).value, true
}

// put keeps a value, in place of an older one of the key. A value that is too heavy by itself is not kept.
func (l *lru[K, V]) put(k K, v V, weight int) {
	l.delete(k)
	l.entries[k] = l.order.PushFront(&lruEntry[K, V]{k, v, weight})
	l.weight += weight
	l.trim()
}

func (l *lru[K, V]) trim() {
	for len(l.entries) > l.most || l.heavy > 0 && l.weight > l.heavy && len(l.entries) > 0 {
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
	l.weight -= entry.weight
	if l.dropped != nil {
		l.dropped(entry.key, entry.value)
	}
}
