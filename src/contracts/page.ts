export interface OffsetPage {
  offset: number;
  limit: number;
  after?: undefined;
}

/** A part of a list: from a number of entries on, or after the entry with this id. */
export type PageRequest = (OffsetPage | { after: string; limit: number }) & { newestFirst?: boolean };
