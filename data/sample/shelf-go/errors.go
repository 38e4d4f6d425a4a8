package shelf

import (
	"errors"
	"time"
)

// Kinds of failure. Test for them with errors.Is; the wrapping error names the value at fault.
var (
	ErrInvalidRecord  = errors.New("invalid record")
	ErrInvalidQuery   = errors.New("invalid query")
	ErrRecordNotFound = errors.New("record not found")
	ErrShortSecret    = errors.New("secret too short")
	ErrSignature      = errors.New("signature refused")
	ErrSessionExpired = errors.New("session expired")
	ErrTransport      = errors.New("no usable answer")
)

// ServerBusy says that the server answered 429 or 503. RetryAfter is zero when it named no wait.
type ServerBusy struct {
	Message    string
	RetryAfter time.Duration
}

func (busy *ServerBusy) Error() string { return busy.Message }

// Is makes a ServerBusy count as ErrTransport, so that it is retried.
func (busy *ServerBusy) Is(target error) bool { return target == ErrTransport }
