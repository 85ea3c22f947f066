/** How a value is written: https://protobuf.dev/programming-guides/encoding/ */
type Scalar = "string" | "hex" | "bool" | "uint32" | "int64" | "fixed32" | "fixed64" | "double";

/** The fields of a message, by their names in JSON. Lists are repeated fields. */
export interface Message {
  readonly [field: string]: { number: number; type: Scalar | (() => Message) | Message };
}

const VARINT = 0;
const FIXED_64 = 1;
const LENGTH = 2;
const FIXED_32 = 5;

const WIRE_TYPES: Record<Scalar, number> = {
  string: LENGTH,
  hex: LENGTH,
  bool: VARINT,
  uint32: VARINT,
  int64: VARINT,
  fixed32: FIXED_32,
  fixed64: FIXED_64,
  double: FIXED_64,
};

/** Lists of these are packed into one field. */
const isPacked = (type: Scalar) => WIRE_TYPES[type] !== LENGTH;

const MAX_VARINT_BYTES = 10;

class Writer {
  #bytes = Buffer.allocUnsafe(64 * 1024);
  #length = 0;

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + size));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  varint(value: number): void {
    this.#reserve(MAX_VARINT_BYTES);
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length++] = rest;
  }

  #int64(value: bigint): void {
    this.#reserve(MAX_VARINT_BYTES);
    let rest = BigInt.asUintN(64, value);
    while (rest > 127n) {
      this.#bytes[this.#length++] = Number(rest & 127n) | 128;
      rest >>= 7n;
    }
    this.#bytes[this.#length++] = Number(rest);
  }

  /** Writes something with its length in front. Most lengths take one byte. */
  sized(write: () => void): void {
    this.#reserve(1);
    const start = ++this.#length;
    write();
    const size = this.#length - start;
    if (size <= 127) {
      this.#bytes[start - 1] = size;
      return;
    }
    this.varint(size);
    const prefix = Buffer.from(this.#bytes.subarray(start + size, this.#length));
    this.#reserve(prefix.length);
    this.#bytes.copyWithin(start - 1 + prefix.length, start, start + size);
    prefix.copy(this.#bytes, start - 1);
    this.#length = start - 1 + prefix.length + size;
  }

  #text(value: string): void {
    const size = Buffer.byteLength(value);
    this.varint(size);
    this.#reserve(size);
    this.#length += this.#bytes.write(value, this.#length);
  }

  scalar(type: Scalar, value: never): void {
    switch (type) {
      case "string":
        this.#text(value);
        break;
      case "hex":
        this.varint((value as string).length / 2);
        this.#reserve((value as string).length / 2);
        this.#length += this.#bytes.write(value, this.#length, "hex");
        break;
      case "bool":
        this.varint(value ? 1 : 0);
        break;
      case "uint32":
        this.varint(value);
        break;
      case "int64":
        this.#int64(BigInt(value));
        break;
      case "fixed32":
        this.#reserve(4);
        this.#length = this.#bytes.writeUInt32LE(value, this.#length);
        break;
      case "fixed64":
        this.#reserve(8);
        this.#length = this.#bytes.writeBigUInt64LE(BigInt(value), this.#length);
        break;
      case "double":
        this.#reserve(8);
        this.#length = this.#bytes.writeDoubleLE(value, this.#length);
    }
  }

  message(message: Message, value: Record<string, unknown>): void {
    for (const name in value) {
      const one = value[name];
      if (one === undefined) continue;
      const { number, type } = message[name]!;
      if (typeof type === "string" && Array.isArray(one) && isPacked(type)) {
        this.varint((number << 3) | LENGTH);
        this.sized(() => {
          for (const item of one) this.scalar(type, item as never);
        });
      } else for (const item of Array.isArray(one) ? one : [one]) this.#field(number, type, item);
    }
  }

  #field(number: number, type: Message[string]["type"], value: unknown): void {
    if (typeof type === "string") {
      this.varint((number << 3) | WIRE_TYPES[type]);
      this.scalar(type, value as never);
    } else {
      this.varint((number << 3) | LENGTH);
      const inner = typeof type === "function" ? type() : type;
      this.sized(() => this.message(inner, value as Record<string, unknown>));
    }
  }
}

/** Encodes what would be JSON otherwise: ids are hexadecimal digits, and 64-bit numbers are text. */
export function encodeProtobuf(message: Message, value: object): Buffer {
  const writer = new Writer();
  writer.message(message, value as Record<string, unknown>);
  return writer.finish();
}
