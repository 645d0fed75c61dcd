// Package deliver puts a rendered answer on a connection: at its pace, with the faults of transport that a stub asks for,
// in as few writes as the pace allows. It knows no provider.
package deliver
