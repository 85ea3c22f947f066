export type Json = string;
/** Encrypted by the keyring. */
export type Encrypted = string;
/** In microseconds since 1970. */
export type Time = number;
