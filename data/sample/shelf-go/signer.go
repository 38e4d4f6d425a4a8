package shelf

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Session defaults.
const (
	MinSecretBytes  = 16
	SessionLifetime = time.Hour
)

// SessionSigner makes and checks tokens of the form reader.expiry.signature, as the Python client
// does. Change Lifetime and Clock before the first use, if at all.
type SessionSigner struct {
	Lifetime time.Duration
	Clock    func() time.Time
	secret   []byte
}

// NewSessionSigner returns a signer with a lifetime of one hour, or ErrShortSecret.
func NewSessionSigner(secret []byte) (*SessionSigner, error) {
	if len(secret) < MinSecretBytes {
		return nil, fmt.Errorf("%w: %d bytes; give %d or more", ErrShortSecret, len(secret), MinSecretBytes)
	}
	return &SessionSigner{Lifetime: SessionLifetime, Clock: time.Now, secret: secret}, nil
}

// Sign returns a token for this reader. The name must not contain a dot, which separates the parts.
func (signer *SessionSigner) Sign(reader string) (string, error) {
	if reader == "" || strings.Contains(reader, ".") {
		return "", fmt.Errorf("%w: reader=%q must be non-empty and without a dot", ErrSignature, reader)
	}
	payload := fmt.Sprintf("%s.%d", reader, signer.Clock().Add(signer.Lifetime).Unix())
	return payload + "." + signer.signature(payload), nil
}

// Verify returns the reader's name. The signature is checked first, then the expiry.
func (signer *SessionSigner) Verify(token string) (string, error) {
	cut := strings.LastIndexByte(token, '.')
	if cut < 0 || !hmac.Equal([]byte(token[cut+1:]), []byte(signer.signature(token[:cut]))) {
		return "", fmt.Errorf("%w: the token does not carry our signature", ErrSignature)
	}
	reader, expiry, _ := strings.Cut(token[:cut], ".")
	seconds, err := strconv.ParseInt(expiry, 10, 64)
	if err != nil {
		return "", fmt.Errorf("%w: the expiry %q is not a number", ErrSignature, expiry)
	}
	if !signer.Clock().Before(time.Unix(seconds, 0)) {
		return "", fmt.Errorf("%w: the session of %q; sign in again", ErrSessionExpired, reader)
	}
	return reader, nil
}

func (signer *SessionSigner) signature(payload string) string {
	mac := hmac.New(sha256.New, signer.secret)
	mac.Write([]byte(payload))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
