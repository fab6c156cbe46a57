package worker

import "fmt"

// Code names what went wrong, for machines.
type Code string

// Codes of the process.
const (
	CredentialsNotFound Code = "CREDENTIALS_NOT_FOUND"
	InsecureCredentials Code = "INSECURE_CREDENTIALS_PERMISSIONS"
	IdentityNotFound    Code = "IDENTITY_NOT_FOUND"
	IdentityMismatch    Code = "USER_IDENTITY_MISMATCH"
	AlreadyRunning      Code = "WORKER_ALREADY_RUNNING"
	InvalidConfig       Code = "INVALID_CONFIG"
	UnknownJobType      Code = "UNKNOWN_JOB_TYPE"
	MissingSessionKeys  Code = "MISSING_SESSION_KEYS"
	DuplicateSection    Code = "DUPLICATE_SECTION_TARGET"
)

// Codes that are reserved. AuthInvalid is for a wire that knows who speaks to it: a folder has no one to refuse a user. What
// the system refuses there is a session that cannot be opened, SessionNotFound.
const (
	AuthInvalid Code = "AUTH_INVALID"
)

// Codes of a section: they stop that section only.
const (
	SessionOwned    Code = "SESSION_OWNED_BY_DIFFERENT_USER"
	WorkerMalformed Code = "SECTION_WORKER_OBJECT_MALFORMED"
	SessionDetached Code = "SESSION_DETACHED_EXTERNALLY"
	SessionNotFound Code = "SESSION_NOT_FOUND"
)

// Codes of a thread; those of its agent are in package driver.
const (
	MetadataMalformed      Code = "METADATA_MALFORMED"
	WorkFolderMissing      Code = "WORK_FOLDER_MISSING"
	AgentTypeMissing       Code = "AGENT_TYPE_MISSING"
	WorkFolderNotAbsolute  Code = "WORK_FOLDER_NOT_ABSOLUTE"
	WorkFolderNotFound     Code = "WORK_FOLDER_NOT_FOUND"
	WorkFolderNotADir      Code = "WORK_FOLDER_NOT_A_DIR"
	WorkFolderNotReadable  Code = "WORK_FOLDER_NOT_READABLE"
	AgentTypeUnsupported   Code = "AGENT_TYPE_UNSUPPORTED"
	PermissionsUnsupported Code = "PERMISSIONS_UNSUPPORTED"
)

// Error is a failure with its code.
type Error struct {
	Code    Code   `yaml:"code"`
	Message string `yaml:"message"`
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

func fail(code Code, format string, a ...any) *Error {
	return &Error{code, fmt.Sprintf(format, a...)}
}
