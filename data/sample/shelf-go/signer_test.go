package shelf

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func signerAt(t *testing.T, now *int64) *SessionSigner {
	t.Helper()
	signer, err := NewSessionSigner([]byte("0123456789abcdef"))
	if err != nil {
		t.Fatal(err)
	}
	signer.Lifetime = time.Minute
	signer.Clock = func() time.Time { return time.Unix(*now, 0) }
	return signer
}

func TestSignGivesTheSameTokenAsThePythonClient(t *testing.T) {
	now := int64(1000)
	got, err := signerAt(t, &now).Sign("ada")
	if want := "ada.1060.0tJ8ugbZI5umRoVrij-KYlMOXxPagjyCDRFe7POtq6s"; got != want || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestVerify(t *testing.T) {
	now := int64(1000)
	signer := signerAt(t, &now)
	token, err := signer.Sign("ada")
	if err != nil {
		t.Fatal(err)
	}
	now = 1059
	if reader, err := signer.Verify(token); reader != "ada" || err != nil {
		t.Errorf("got %q, %v", reader, err)
	}
	now = 1060
	if _, err := signer.Verify(token); !errors.Is(err, ErrSessionExpired) {
		t.Errorf("expired: got %v", err)
	}
	for _, forged := range []string{"", "ada", "...", strings.Replace(token, "ada", "eve", 1)} {
		if _, err := signer.Verify(forged); !errors.Is(err, ErrSignature) {
			t.Errorf("%q: got %v", forged, err)
		}
	}
}

func TestShortSecretsAndDottedNamesAreRefused(t *testing.T) {
	if _, err := NewSessionSigner([]byte("short")); !errors.Is(err, ErrShortSecret) {
		t.Errorf("got %v", err)
	}
	now := int64(0)
	if _, err := signerAt(t, &now).Sign("ada.b"); !errors.Is(err, ErrSignature) {
		t.Errorf("got %v", err)
	}
}
