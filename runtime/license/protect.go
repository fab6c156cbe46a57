package license

import (
	"path"
	"slices"
	"strings"
)

// Guard is a protected place: no rule, approval or posture opens it.
type Guard struct {
	Path      string // absolute, as named
	Canonical string
	Why       string
	// WritesOnly leaves reading open.
	WritesOnly bool
	Dev, Inode uint64 // of what is there, so that another name of the same file is found too
}

// credentials are files and folders below a home folder that hold what proves who the user is. Reading one is enough to
// act as the user elsewhere, so both reading and writing are closed. A project's .env is not here: programs of the
// project need it. It is a secret (see secretName), which no allowlist opens, but a rule or a person may.
var credentials = []string{
	".ssh", ".gnupg", ".aws", ".azure", ".kube", ".netrc", "_netrc", ".git-credentials", ".pgpass", ".my.cnf", ".npmrc",
	".yarnrc.yml", ".pypirc", ".vault-token", ".password-store", ".s3cfg", ".boto", ".pulumi/credentials.json",
	".docker/config.json", ".docker/run", ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials",
	".m2/settings.xml", ".m2/settings-security.xml", ".gradle/gradle.properties", ".terraform.d/credentials.tfrc.json",
	".terraformrc", ".bundle/config", ".composer/auth.json", ".nuget/NuGet/NuGet.Config", ".config/gcloud", ".config/gh",
	".config/glab-cli", ".config/hub", ".config/git/credentials", ".config/op", ".config/rclone", ".config/sops",
	".config/doctl", ".config/heroku", ".config/containers/auth.json", ".config/helm/registry", ".config/age",
	".config/google-chrome", ".config/chromium", ".config/BraveSoftware", ".mozilla", ".local/share/keyrings",
	".local/share/kwalletd", ".claude/.credentials.json", ".codex/auth.json", ".config/github-copilot", ".databrickscfg",
	".snowflake", ".oci", ".ibmcloud", ".fly", ".netlify", ".vercel", ".huggingface/token", ".cache/huggingface/token",
	".kaggle/kaggle.json", ".wrangler", ".config/configstore", ".Xauthority", ".ICEauthority",
	"Library/Keychains", "Library/Cookies", "Library/Application Support/Google/Chrome",
}

// systemSecrets are absolute, and closed for the same reason.
var systemSecrets = []string{
	"/etc/shadow", "/etc/gshadow", "/etc/shadow-", "/etc/gshadow-", "/etc/sudoers", "/etc/sudoers.d", "/etc/ssl/private",
	"/etc/krb5.keytab", "/var/run/docker.sock", "/run/docker.sock", "/run/containerd", "/run/podman/podman.sock",
	"/run/secrets", "/var/run/secrets", "/dev/mem", "/dev/kmem", "/proc/kcore", "/proc/sysrq-trigger",
}

// rawDevices hold whole file systems.
var rawDevices = []string{"/dev/sd", "/dev/hd", "/dev/vd", "/dev/xvd", "/dev/nvme", "/dev/mmcblk", "/dev/dm-", "/dev/disk", "/dev/rdisk", "/dev/mapper", "/dev/loop", "/dev/md"}

// protects says why a path is closed for an access, empty when it is not.
func (f *Facts) protects(p PathFact, access Access, protected []string) string {
	writes := access == Write || access == Delete
	ownFiles := strings.HasPrefix(p.Lexical, "/dev/") // /dev/fd/63 is a command's own, and leads through /proc
	for _, form := range []string{p.Lexical, p.Canonical} {
		if form == "" {
			continue
		}
		if why := f.protectsForm(form, writes, protected); why != "" {
			return why
		}
		if why := processFile(form, samePart); why != "" && !ownFiles {
			return why
		}
	}
	if p.State == Exists && p.Entry.Inode != 0 {
		for _, g := range f.Guards {
			if g.Inode == p.Entry.Inode && g.Dev == p.Entry.Dev && (writes || !g.WritesOnly) {
				return g.Why
			}
		}
	}
	return ""
}

func (f *Facts) protectsForm(form string, writes bool, protected []string) string {
	for _, root := range protected {
		if f.within(form, path.Clean(root)) {
			return "it belongs to Caper itself (" + root + ")"
		}
	}
	for _, g := range f.Guards {
		if (writes || !g.WritesOnly) && (f.within(form, g.Path) || f.within(form, g.Canonical)) {
			return g.Why
		}
	}
	if rel, ok := f.underHome(form); ok && f.isCredential(rel) {
		return "it holds credentials"
	}
	for _, s := range systemSecrets {
		if f.within(form, s) {
			return "it holds secrets of the system"
		}
	}
	if why := processSecret(form, samePart); why != "" {
		return why
	}
	if writes {
		if f.inGit(form) {
			return "it lies in the internals of git, where a file can run programs later"
		}
		for _, d := range rawDevices {
			if strings.HasPrefix(form, d) {
				return "it is a raw device"
			}
		}
	}
	return ""
}

// processSecret says why a path below /proc is closed. same compares a part of it, which may hold wildcards, with a name.
func processSecret(p string, same func(part, name string) bool) string {
	parts := strings.Split(p, "/")
	if len(parts) < 4 || parts[0] != "" || !same(parts[1], "proc") {
		return ""
	}
	for i, part := range parts[3:] {
		for _, name := range []string{"environ", "mem", "auxv", "maps"} {
			if i == len(parts)-4 && same(part, name) {
				return "it shows the memory or environment of a process"
			}
		}
	}
	for _, name := range []string{"cwd", "root", "exe", "task", "map_files"} {
		if same(parts[3], name) {
			return "it leads wherever a process is"
		}
	}
	return ""
}

// processWay says why a path, not cleaned yet, is closed for the way that it takes: through a process, and out of there by
// dots, which only look as if they took that back.
func processWay(raw string, same func(part, name string) bool) string {
	parts := slices.DeleteFunc(strings.Split(raw, "/"), func(s string) bool { return s == "" || s == "." })
	way := "/" + strings.Join(parts, "/")
	if strings.HasPrefix(way, "/dev/fd/..") || strings.HasPrefix(way, "/dev/std") && strings.Contains(way, "/..") {
		return "it leads wherever a process is"
	}
	return processSecret(way, same)
}

// processFile says why a file that a process has open is closed.
func processFile(p string, same func(part, name string) bool) string {
	parts := strings.Split(p, "/")
	if len(parts) > 4 && parts[0] == "" && same(parts[1], "proc") && same(parts[3], "fd") {
		return "it is what a process has open"
	}
	return ""
}

func samePart(part, name string) bool { return part == name }

// isCredential says that a path below a home folder is one of credentials or below one.
func (f *Facts) isCredential(rel string) bool {
	for _, c := range credentials {
		if len(rel) < len(c) || len(rel) > len(c) && rel[len(c)] != '/' {
			continue
		}
		if rel[:len(c)] == c || f.Folds && strings.EqualFold(rel[:len(c)], c) {
			return true
		}
	}
	return false
}

// within is within, without regard to case where the file system has none.
func (f *Facts) within(p, root string) bool {
	if f.Folds {
		return within(strings.ToLower(p), strings.ToLower(root))
	}
	return within(p, root)
}

// inGit says that a part of the path is .git, in a spelling that the file system takes for it.
func (f *Facts) inGit(p string) bool {
	for _, part := range strings.Split(p, "/") {
		if part == ".git" || f.Folds && (strings.EqualFold(strings.TrimRight(part, ". "), ".git") || strings.EqualFold(part, "git~1")) {
			return true
		}
	}
	return false
}

// underHome answers the rest of a path below any home folder: that of the call, and the usual places.
func (f *Facts) underHome(p string) (string, bool) {
	for _, h := range []string{f.Home, f.HomeCanonical} {
		if h != "" && h != "/" && f.within(p, h) && len(p) > len(h) {
			return p[len(h)+1:], true
		}
	}
	parts := strings.Split(p, "/")
	switch {
	case len(parts) > 2 && parts[1] == "root":
		return strings.Join(parts[2:], "/"), true
	case len(parts) > 3 && (parts[1] == "home" || parts[1] == "Users"):
		return strings.Join(parts[3:], "/"), true
	}
	return "", false
}

// holdsGuard says which guard lies at or below a folder, for commands that take a whole tree.
func (f *Facts) holdsGuard(p PathFact, writes bool, protected []string) string {
	for _, form := range []string{p.Lexical, p.Canonical} {
		for _, root := range protected {
			if f.within(path.Clean(root), form) {
				return root
			}
		}
		for _, g := range f.Guards {
			if g.Dev == 0 && g.Inode == 0 && g.Canonical == "" {
				continue // nothing is there
			}
			if (writes || !g.WritesOnly) && (f.within(g.Path, form) || f.within(g.Canonical, form)) {
				return g.Path
			}
		}
	}
	return ""
}

// secretName says that a file is likely to hold secrets of a project: no allowlist and no posture auto reads it, a rule
// or a person may. What a shell command comes upon in a tree that it goes through is not looked for.
func secretName(p string) bool {
	base := strings.ToLower(path.Base(p))
	switch {
	case base == ".env" || base == ".envrc":
		return true
	case strings.HasPrefix(base, ".env."):
		switch base[len(".env."):] {
		case "example", "sample", "template", "dist", "defaults":
			return false
		}
		return true
	case strings.HasSuffix(base, ".pem"), strings.HasSuffix(base, ".p12"), strings.HasSuffix(base, ".pfx"), strings.HasSuffix(base, ".keystore"):
		return true
	}
	switch base {
	case "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", ".npmrc", ".netrc", ".pypirc", "credentials.json", "service-account.json", ".htpasswd":
		return true
	}
	return false
}
