/** Something with a time limit. It is an entry of the list itself, so that adding it allocates nothing. */
export abstract class Timed {
  /** @internal In milliseconds since the process started. */
  deadline = 0;
  /** @internal */
  previous: Timed | undefined;
  /** @internal */
  following: Timed | undefined;

  /** Called once the time is over. */
  abstract timeOut(): void;
}

/**
 * Time limits of the same length. There is one timer for all of them: the first one added is the first one over. Setting
 * and clearing a timer for each takes twice as long.
 */
export class Deadlines {
  readonly #milliseconds: number;
  #first: Timed | undefined;
  #last: Timed | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  add(timed: Timed): void {
    timed.deadline = performance.now() + this.#milliseconds;
    timed.previous = this.#last;
    if (this.#last) this.#last.following = timed;
    else this.#first = timed;
    this.#last = timed;
    if (!this.#timer) this.#wait(this.#milliseconds);
  }

  remove(timed: Timed): void {
    const { previous, following } = timed;
    if (previous) previous.following = following;
    else if (this.#first === timed) this.#first = following;
    if (following) following.previous = previous;
    else if (this.#last === timed) this.#last = previous;
    timed.previous = undefined;
    timed.following = undefined;
  }

  /** Starts the time anew. */
  restart(timed: Timed): void {
    this.remove(timed);
    this.add(timed);
  }

  /** The timer keeps running when the list becomes empty, so that sequential calls need no new one each. */
  #wait(milliseconds: number): void {
    // If the whole process stood still for that long, the response may be here already: what has arrived is read first.
    this.#timer = setTimeout(() => setImmediate(this.#check), milliseconds);
    this.#timer.unref();
  }

  readonly #check = (): void => {
    this.#timer = undefined;
    const now = performance.now();
    for (let timed = this.#first; timed && timed.deadline <= now; timed = this.#first) {
      this.remove(timed);
      timed.timeOut();
    }
    if (this.#first && !this.#timer) this.#wait(Math.max(1, Math.ceil(this.#first.deadline - now)));
  };
}
