/** What a task costs the people who do it. */
export class Effort {
  /** With the Enter that sends them. */
  keystrokes = 0;
  pressed = 0;
  /** Of each message and form that has to be looked at on the way. */
  words = 0;

  types(text: string): string {
    this.keystrokes += [...text].length + 1;
    return text;
  }

  /** Typed into a field of a form, which no Enter sends. */
  fills(text: string): string {
    this.keystrokes += [...text].length;
    return text;
  }

  taps(label: string): string {
    this.pressed += 1;
    return label;
  }

  reads(text: string): void {
    this.words += text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  }
}
