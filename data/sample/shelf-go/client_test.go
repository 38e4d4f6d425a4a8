package shelf

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"
)

// newClient serves the small catalogue, answering 503 the first busy times.
func newClient(t *testing.T, busy int) (*ShelfClient, *[]time.Duration) {
	t.Helper()
	signer, err := NewSessionSigner([]byte("the stacks are closed on Mondays"))
	if err != nil {
		t.Fatal(err)
	}
	catalogue := small(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if busy > 0 {
			busy--
			w.Header().Set("Retry-After", "5")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		if _, err := signer.Verify(token); err != nil {
			t.Error(err)
		}
		results, err := catalogue.Search(r.URL.Query().Get("q"), 5, nil)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if err := json.NewEncoder(w).Encode(results); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	waits := &[]time.Duration{}
	client := NewShelfClient(server.URL, "ada", signer)
	client.Wait = func(_ context.Context, delay time.Duration) error {
		*waits = append(*waits, delay)
		return nil
	}
	return client, waits
}

func TestClientSearchEqualsTheCataloguesOwnAnswer(t *testing.T) {
	client, _ := newClient(t, 0)
	got, err := client.Search(context.Background(), "physics", 5)
	want, _ := small(t).Search("physics", 5, nil)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
}

func TestClientAsksABusyServerAgain(t *testing.T) {
	client, waits := newClient(t, 2)
	if _, err := client.Search(context.Background(), "physics", 5); err != nil {
		t.Fatal(err)
	}
	if want := []time.Duration{5 * time.Second, 5 * time.Second}; !reflect.DeepEqual(*waits, want) {
		t.Errorf("waited %v, want %v", *waits, want)
	}
}

func TestClientDoesNotRepeatABadQuery(t *testing.T) {
	client, waits := newClient(t, 0)
	_, err := client.Search(context.Background(), "the of and", 5)
	if !errors.Is(err, ErrInvalidQuery) || len(*waits) != 0 {
		t.Errorf("got %v after waits %v", err, *waits)
	}
}

func TestBackoffDelaysDoubleUpToTheCap(t *testing.T) {
	var got []float64
	for _, delay := range BackoffDelays(6, time.Second) {
		got = append(got, delay.Seconds())
	}
	if want := []float64{1, 2, 4, 8, 16, 30}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestRetryWithBackoffStopsWhenTheContextDoes(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	err := RetryWithBackoff(ctx, BackoffDelays(4, time.Hour), Sleep, func() error {
		calls++
		cancel()
		return ErrTransport
	})
	if !errors.Is(err, context.Canceled) || calls != 1 {
		t.Errorf("got %v after %d calls", err, calls)
	}
}
