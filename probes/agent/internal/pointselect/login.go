// Package pointselect asks a MySQL server for one row by its key, over and over. The standard
// driver logs in; the packets of the loop are prebuilt and go over that driver's own connection.
package pointselect

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"net"
	"reflect"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"github.com/go-sql-driver/mysql"

	"leadline/agent/internal/faults"
	"leadline/agent/internal/listener"
	"leadline/agent/internal/plan"
)

const loginTimeout = 20 * time.Second

// login is one authenticated connection: the driver's, and the line below it.
type login struct {
	driver driver.Conn
	line   *line
	// encrypted is nil where the line carries plain packets.
	encrypted *tls.Conn
}

// open logs in once, in several tries where a failure may pass.
func open(asked *plan.MySQL) (*login, error) {
	const tries, pause = 10, 50 * time.Millisecond
	for attempt := 1; ; attempt++ {
		opened, err := tryOpen(asked)
		if attempt == tries || !mayPass(err) {
			return opened, ExplainLogin(err)
		}
		time.Sleep(pause)
	}
}

// mayPass knows two failures that the next try may not meet. The driver cuts a zero byte off the
// end of what a server sends to be signed, so that with ed25519 every 256th login fails. And a
// server takes a moment to notice that the connections of the point before have gone.
func mayPass(err error) bool {
	var answer *mysql.MySQLError
	if errors.As(err, &answer) {
		return answer.Number == erTooManyConnections || answer.Number == erTooManyUserConns
	}
	return errors.Is(err, mysql.ErrMalformPkt)
}

func tryOpen(asked *plan.MySQL) (*login, error) {
	config, err := configure(asked)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), loginTimeout)
	defer cancel()
	var dialer net.Dialer
	connection, err := dialer.DialContext(ctx, asked.Network, asked.Address)
	if err != nil {
		return nil, err
	}
	opened := &login{line: &line{Conn: connection}}
	alone := private(asked, connection)
	// What plugins of a server ask for goes to none that was merely found.
	gives := asked.TrustsTLS() || (alone && !asked.Found)
	// Within TLS, or on the server's own socket; nobody expects it over TCP alone.
	config.AllowCleartextPasswords = gives && (asked.TrustsTLS() || asked.Network == "unix")
	var guarded *proving
	config.DialFunc = func(context.Context, string, string) (net.Conn, error) {
		// Without a password there is nothing to give away.
		if asked.Password == "" || gives {
			return opened.line, nil
		}
		guarded = &proving{line: opened.line, sha2: alone}
		return guarded, nil
	}
	connector, err := mysql.NewConnector(config)
	if err != nil {
		_ = connection.Close()
		return nil, faults.New(faults.MySQLRefused, "%v", err)
	}
	opened.driver, err = connector.Connect(ctx)
	if guarded != nil && guarded.refused != nil {
		// The driver tells no more than that the connection broke.
		return nil, faults.New(faults.MySQLPassword, "%v", guarded.refused)
	}
	if err != nil {
		return nil, err
	}
	opened.encrypted, err = encryptedPart(opened.driver)
	if err == nil {
		err = opened.line.takeOver()
	}
	if err != nil {
		opened.close()
		return nil, err
	}
	return opened, nil
}

// private tells whether the way leads nowhere but to this machine's own server: over a socket that
// no other account may have put there, or as the plan says.
func private(asked *plan.MySQL, connection net.Conn) bool {
	if socket, ok := connection.(*net.UnixConn); ok {
		found, err := listener.Of(socket, asked.Address)
		return err == nil && found.Private
	}
	return asked.Private
}

func (l *login) close() { _ = l.driver.Close() }

func configure(asked *plan.MySQL) (*mysql.Config, error) {
	config := mysql.NewConfig()
	config.Net, config.Addr = asked.Network, asked.Address
	config.User, config.Passwd, config.DBName = asked.User, asked.Password, asked.Database
	config.Timeout = loginTimeout
	config.Logger = &mysql.NopLogger{}
	switch asked.TLS {
	case plan.TLSPrefer:
		config.AllowFallbackToPlaintext = true
		config.TLS = &tls.Config{InsecureSkipVerify: true}
	case plan.TLSUnverified:
		config.TLS = &tls.Config{InsecureSkipVerify: true}
	case plan.TLSPinned:
		config.TLS = &tls.Config{InsecureSkipVerify: true, VerifyConnection: pinned(asked.Certificate)}
	case plan.TLSVerify:
		return config, verify(config, asked)
	}
	return config, nil
}

// verify asks for a certificate that the plan's authority signed, or one of the system's without
// it; the name in it counts only where the plan gives one.
func verify(config *mysql.Config, asked *plan.MySQL) error {
	config.TLS = &tls.Config{ServerName: asked.ServerName}
	if asked.CA != "" {
		config.TLS.RootCAs = x509.NewCertPool()
		if !config.TLS.RootCAs.AppendCertsFromPEM([]byte(asked.CA)) {
			return faults.New(faults.MySQLRefused, "the certificate authority holds no certificate")
		}
	}
	if asked.ServerName == "" {
		config.TLS.InsecureSkipVerify = true
		config.TLS.VerifyConnection = verifySignature(config.TLS.RootCAs)
	}
	return nil
}

// verifySignature checks what crypto/tls would, but for the name.
func verifySignature(roots *x509.CertPool) func(tls.ConnectionState) error {
	return func(state tls.ConnectionState) error {
		between := x509.NewCertPool()
		for _, certificate := range state.PeerCertificates[1:] {
			between.AddCert(certificate)
		}
		_, err := state.PeerCertificates[0].Verify(x509.VerifyOptions{Roots: roots, Intermediates: between})
		return err
	}
}

// pinned accepts the one certificate of that fingerprint, whatever it says of itself.
func pinned(certificate string) func(tls.ConnectionState) error {
	return func(state tls.ConnectionState) error {
		sum := sha256.Sum256(state.PeerCertificates[0].Raw)
		if want := strings.ReplaceAll(certificate, ":", ""); !strings.EqualFold(hex.EncodeToString(sum[:]), want) {
			return errors.New("its certificate is another one than was accepted")
		}
		return nil
	}
}

// encryptedPart digs the TLS layer out of the driver, which keeps it to itself; nil without TLS.
// A test holds this to the pinned version of the driver.
func encryptedPart(connection driver.Conn) (*tls.Conn, error) {
	value := reflect.ValueOf(connection)
	if value.Kind() != reflect.Pointer || value.Elem().Kind() != reflect.Struct {
		return nil, errors.New("the driver's connection is no longer a struct")
	}
	field := value.Elem().FieldByName("netConn")
	if !field.IsValid() || field.Type() != reflect.TypeFor[net.Conn]() {
		return nil, errors.New("the driver no longer keeps its connection in netConn")
	}
	encrypted, _ := (*(*net.Conn)(unsafe.Pointer(field.UnsafeAddr()))).(*tls.Conn)
	return encrypted, nil
}

// Server errors that say who may log in, and how many.
const (
	erHandshake            = 1043
	erDBAccessDenied       = 1044
	erAccessDenied         = 1045
	erTooManyConnections   = 1040
	erTooManyUserConns     = 1203
	erUserLimitReached     = 1226
	erAccessDeniedNoPass   = 1698
	erNotSupportedAuth     = 1251
	erHostNotPrivileged    = 1130
	erHostIsBlocked        = 1129
	erMustChangePassword   = 1862
	erAccountHasBeenLocked = 3118
)

// ExplainLogin turns what the driver says of a login that failed into a fault; one that is a fault stays so.
func ExplainLogin(err error) error {
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		return faults.New(faults.Limits, "too many open files: the limit on this host is reached")
	}
	var fault *faults.Fault
	if err == nil || errors.As(err, &fault) {
		return err
	}
	var answer *mysql.MySQLError
	if !errors.As(err, &answer) {
		return faults.New(faults.MySQLRefused, "the MySQL server can't be reached: %v", err)
	}
	switch answer.Number {
	case erDBAccessDenied, erAccessDenied, erAccessDeniedNoPass, erNotSupportedAuth,
		erMustChangePassword, erAccountHasBeenLocked, erHostNotPrivileged:
		return faults.New(faults.MySQLDenied, "%s (error %d)", answer.Message, answer.Number)
	case erTooManyConnections, erTooManyUserConns, erUserLimitReached, erHostIsBlocked, erHandshake:
		return faults.New(faults.MySQLRefused, "%s (error %d)", answer.Message, answer.Number)
	default:
		return faults.New(faults.MySQLQuery, "%s (error %d)", answer.Message, answer.Number)
	}
}
