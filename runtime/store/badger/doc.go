// Package badger keeps a store on disk in Badger, with what Badger alone does not give: an anchor that notices a lost tail,
// checks before it opens, a reserve against a full disk, one transaction for many callers. It never interprets a node. It
// is the only importer of Badger; assembly and command may import it.
//
// A store's folder holds
//
//	owner.lock   its lock makes a process the owner
//	anchor       the last event record, and what a clean close found
//	balloon      disk space in reserve
//	db/          Badger's files
//	salvage/     what was found at an opening whose checks did not pass
package badger
