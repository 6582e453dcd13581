/**
 * One text of a workbook, shared or inside of its cell: a single `<t>`, or runs of one `<t>` each.
 * How it is pronounced (`rPh`) is no part of it.
 */
export class RichText {
  /** What was read of it so far. */
  text = '';
  /** It has a second text where one belongs; programs disagree whether both count or the last one alone. */
  isTwo = false;
  #isInPhonetic = false;
  #isInText = false;
  #start = 0;
  #texts = 0;
  #runs = 0;
  /** Texts of the run that is open; undefined outside of runs. */
  #inRun: number | undefined;

  open(name: string): void {
    if (name === 'rPh') this.#isInPhonetic = true;
    else if (name === 'r') this.#inRun = 0;
    else if (name === 't' && !this.#isInPhonetic) {
      this.#isInText = true;
      this.#start = this.text.length;
    }
  }

  add(text: string): void {
    if (this.#isInText) this.text += text;
  }

  close(name: string): void {
    if (name === 'rPh') this.#isInPhonetic = false;
    else if (name === 'r') this.#inRun = undefined;
    else if (name === 't' && this.#isInText) this.#closeText();
  }

  #closeText(): void {
    this.#isInText = false;
    if (this.text.length === this.#start) return;
    if (this.#inRun === undefined) this.#texts += 1;
    else {
      this.#inRun += 1;
      this.#runs += 1;
    }
    this.isTwo ||= this.#texts > 1 || (this.#inRun ?? 0) > 1 || (this.#texts > 0 && this.#runs > 0);
  }
}
