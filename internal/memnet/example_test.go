package memnet_test

import (
	"fmt"
	"io"
	"net/http"

	"github.com/mimus-go/mimus/internal/memnet"
)

func Example() {
	n := memnet.New()
	defer n.Close()
	go http.Serve(n.Listen(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to, _ := memnet.Dialed(r.Context())
		fmt.Fprintf(w, "%s at %s, https: %v", r.URL.Path, r.Host, to.TLS)
	}))

	client := &http.Client{Transport: n.Transport()}
	resp, err := client.Get("https://api.openai.com/v1/models")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	fmt.Println(string(body))
	// Output: /v1/models at api.openai.com, https: true
}
