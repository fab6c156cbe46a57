package program

// Snapshot lets tests change what a snapshot says.
type Snapshot = snapshot

// Standing and Piece are parts of one.
type (
	Standing = standing
	Piece    = piece
	Kid      = kid
)
