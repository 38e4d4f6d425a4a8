package shelf

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// DefaultTimeout is how long one attempt may take.
const DefaultTimeout = 10 * time.Second

// ShelfClient searches a remote catalogue on behalf of one reader. Delays and Wait may be changed
// before the first use.
type ShelfClient struct {
	Delays  []time.Duration
	Wait    func(context.Context, time.Duration) error
	reader  string
	signer  *SessionSigner
	baseURL string
	http    http.Client
}

// NewShelfClient returns a client with the default timeout and retries.
func NewShelfClient(baseURL, reader string, signer *SessionSigner) *ShelfClient {
	return &ShelfClient{
		Delays:  BackoffDelays(MaxRetries, time.Second),
		Wait:    Sleep,
		reader:  reader,
		signer:  signer,
		baseURL: baseURL,
		http:    http.Client{Timeout: DefaultTimeout},
	}
}

// Search returns at most topK results, best first.
func (client *ShelfClient) Search(ctx context.Context, query string, topK int) ([]SearchResult, error) {
	fields := url.Values{"q": {query}, "top_k": {strconv.Itoa(topK)}}
	var results []SearchResult
	err := client.get(ctx, "/search?"+fields.Encode(), &results)
	return results, err
}

// Fetch returns one record, or ErrRecordNotFound.
func (client *ShelfClient) Fetch(ctx context.Context, isbn string) (Record, error) {
	key, err := NormalizeISBN(isbn)
	if err != nil {
		return Record{}, err
	}
	var record Record
	err = client.get(ctx, "/records/"+key, &record)
	return record, err
}

func (client *ShelfClient) get(ctx context.Context, path string, into any) error {
	return RetryWithBackoff(ctx, client.Delays, client.Wait, func() error {
		return client.getOnce(ctx, path, into)
	})
}

func (client *ShelfClient) getOnce(ctx context.Context, path string, into any) error {
	token, err := client.signer.Sign(client.reader)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, client.baseURL+path, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := client.http.Do(request)
	if err != nil {
		return fmt.Errorf("%w: %v", ErrTransport, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return errorFor(response)
	}
	if err := json.NewDecoder(response.Body).Decode(into); err != nil {
		return fmt.Errorf("%w: %v", ErrTransport, err)
	}
	return nil
}

func errorFor(response *http.Response) error {
	var body struct {
		Error string `json:"error"`
	}
	if json.NewDecoder(response.Body).Decode(&body) != nil || body.Error == "" {
		body.Error = "the server answered " + response.Status
	}
	switch response.StatusCode {
	case http.StatusBadRequest:
		return fmt.Errorf("%w: %s", ErrInvalidQuery, body.Error)
	case http.StatusUnauthorized:
		return fmt.Errorf("%w: %s", ErrSignature, body.Error)
	case http.StatusNotFound:
		return fmt.Errorf("%w: %s", ErrRecordNotFound, body.Error)
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After")) // a date counts as none
		return &ServerBusy{Message: body.Error, RetryAfter: time.Duration(seconds) * time.Second}
	default:
		return fmt.Errorf("%w: %s", ErrTransport, body.Error)
	}
}
