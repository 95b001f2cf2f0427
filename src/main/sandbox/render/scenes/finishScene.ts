import { applyGrade, bloom, type Grade, grain, NIGHT_GRADE, vignette } from '../colorGrade.ts';
import type { Kit, Plane, Scene } from '../scene.ts';
import { trimmed } from '../trim.ts';
import type { Water } from '../water.ts';

export type Draft = Omit<Scene, 'width' | 'height' | 'grade'> & { grade?: Grade; vignette?: number };

/** Applies the final look: glow and grain on the farthest plane, vignette and grade on all. */
export function finishScene(kit: Kit, draft: Draft): Scene {
  const { width, height } = kit;
  const own = draft.grade ?? NIGHT_GRADE;
  const grade = kit.mood.grade ? { ...kit.mood.grade, exposure: own.exposure } : own;
  const scene: Scene = { ...draft, width, height, grade };
  const dark = draft.vignette ?? 0.55;
  scene.back.forEach((plane, index) => {
    if (index === 0) bloom(plane.canvas);
    else trim(plane);
    vignette(plane.canvas, scene, plane.x, plane.y, dark);
    applyGrade(plane.canvas, grade);
    if (index === 0) grain(plane.canvas, kit.random, 5);
  });
  scene.water?.sheets.forEach((sheet, index) => {
    if (index > 0) narrow(sheet);
    const { canvas, x } = sheet;
    if (index === 0) bloom(canvas, 0.22);
    vignette(canvas, scene, x, scene.water?.top ?? 0, dark);
    applyGrade(canvas, grade);
    if (index === 0) grain(canvas, kit.random, 4);
  });
  for (const plane of scene.front) {
    trim(plane);
    vignette(plane.canvas, scene, plane.x, plane.y, dark);
    applyGrade(plane.canvas, grade);
  }
  return scene;
}

function trim(plane: Plane): void {
  const { canvas, x, y } = trimmed(plane.canvas);
  plane.canvas = canvas;
  plane.x += x;
  plane.y += y;
}

/** A water plane keeps its rows, on which the ripples depend. */
function narrow(sheet: Water['sheets'][number]): void {
  const { canvas, x } = trimmed(sheet.canvas, { rows: false });
  sheet.canvas = canvas;
  sheet.x += x;
}
