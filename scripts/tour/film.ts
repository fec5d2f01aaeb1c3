import type { Locator, Page } from 'playwright-core';

import { type Frame, readPng } from './png';

const MOVE_FRAMES = 4;
const MOVE_FRAME_MS = 40;
const PRESS_MS = 140;
const SETTLE_MS = 400;
const LETTERS_PER_FRAME = 4;
const LETTERS_MS = 90;
const TYPED_MS = 350;

/** Draws the mouse pointer, which screenshots lack. */
const drawPointer = (x: number, y: number, isPressed: boolean): string => `(() => {
  let pointer = document.getElementById('tour-pointer');
  if (!pointer) {
    pointer = document.createElement('div');
    pointer.id = 'tour-pointer';
    pointer.style.cssText = 'position:fixed;z-index:2147483647;pointer-events:none;width:0;height:0';
    pointer.innerHTML =
      '<i style="position:absolute;left:-18px;top:-18px;width:36px;height:36px;border-radius:50%;background:#ff6d5a80"></i>' +
      '<svg style="position:absolute;left:-3px;top:-2px;overflow:visible" width="22" height="30">' +
      '<path d="M3 2v21l5-5 4 9 4-2-4-8h7z" fill="#111" stroke="#fff" stroke-width="1.6"/></svg>';
    document.documentElement.append(pointer);
  }
  pointer.style.left = '${x}px';
  pointer.style.top = '${y}px';
  pointer.firstChild.style.visibility = '${isPressed ? 'visible' : 'hidden'}';
})()`;

/** Films clicks and typing on pages. How long each picture is shown is set, not measured. */
export class Film {
  readonly frames: Frame[] = [];
  private x: number;
  private y: number;

  constructor(private page: Page) {
    const { width, height } = page.viewportSize()!;
    [this.x, this.y] = [width / 2, height * 0.75];
  }

  /** Continues on another page of the same size. */
  async cutTo(page: Page, milliseconds: number): Promise<void> {
    this.page = page;
    await this.hold(milliseconds);
  }

  /** How long all pictures are shown together, in milliseconds. */
  get milliseconds(): number {
    return this.frames.reduce((sum, frame) => sum + frame.milliseconds, 0);
  }

  /** Begins with the last picture, so that a viewer that shows one picture shows the result. */
  beginWithEnd(milliseconds: number): void {
    const last = this.frames.at(-1);
    if (last) this.frames.unshift({ ...last, milliseconds });
  }

  /** Shows the page as it is. */
  async hold(milliseconds: number, isPressed = false): Promise<void> {
    await this.page.evaluate(drawPointer(this.x, this.y, isPressed));
    const png = await this.page.screenshot({
      animations: 'disabled',
      caret: 'initial',
      style: '.el-notification { display: none !important }',
    });
    this.frames.push({ picture: readPng(png), milliseconds });
  }

  /** Moves the pointer to an element and clicks. Then shows the result, unless `milliseconds` is 0. */
  async click(target: Locator, milliseconds = 300): Promise<void> {
    await target.scrollIntoViewIfNeeded();
    const box = await target.boundingBox();
    if (!box) throw new Error(`${String(target)} is not on the page.`);
    const [fromX, fromY] = [this.x, this.y];
    const toX = box.x + Math.min(box.width / 2, 120);
    const toY = box.y + box.height / 2;
    for (let step = 1; step <= MOVE_FRAMES; step++) {
      const part = 1 - (1 - step / MOVE_FRAMES) ** 2;
      this.x = Math.round(fromX + (toX - fromX) * part);
      this.y = Math.round(fromY + (toY - fromY) * part);
      await this.page.mouse.move(this.x, this.y);
      await this.hold(step === MOVE_FRAMES ? 2 * MOVE_FRAME_MS : MOVE_FRAME_MS);
    }
    await this.hold(PRESS_MS, true);
    await this.page.mouse.down();
    await this.page.mouse.up();
    if (milliseconds === 0) return;
    await this.page.waitForTimeout(SETTLE_MS);
    await this.hold(milliseconds);
  }

  /** Types where the cursor is. */
  async type(text: string): Promise<void> {
    for (let at = 0; at < text.length; at += LETTERS_PER_FRAME) {
      await this.page.keyboard.type(text.slice(at, at + LETTERS_PER_FRAME));
      await this.hold(LETTERS_MS);
    }
    await this.page.waitForTimeout(SETTLE_MS);
    await this.hold(TYPED_MS);
  }
}
