/** How many bytes may pass between two collections. */
const BYTES_BETWEEN_COLLECTIONS = 16 * 1024 * 1024;

/**
 * Counts bytes that are streamed and not kept. V8 lets unused buffers add up to some 80 MB, because it only sees their
 * small headers; collecting young objects now and then takes a millisecond or two and keeps a stream of any size within
 * a few megabytes.
 */
export function createStreamedBytesCounter(collectYoungObjects: () => void): (bytes: number) => void {
  let passed = 0;
  return (bytes) => {
    passed += bytes;
    if (passed < BYTES_BETWEEN_COLLECTIONS) return;
    passed = 0;
    collectYoungObjects();
  };
}
