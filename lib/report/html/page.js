"use strict";
/* Sort and filter the tables.  Without this they are plain tables. */
for (const table of document.querySelectorAll("table.sortable")) {
	const body = table.tBodies[0];
	const heads = Array.from(table.tHead.rows[0].cells);

	/* A row's place on paper is what equal ones fall back to. */
	Array.from(body.rows).forEach((row, i) => { row.place = i; });

	function key(row, column, numeric) {
		const cell = row.cells[column];

		if (!numeric)
			return cell.textContent;
		/* counts have up to 64 bits */
		return "v" in cell.dataset ? BigInt(cell.dataset.v) : null;
	}

	function compare(a, b, numeric) {
		if (a === null || b === null)
			return (a === null) - (b === null);
		if (numeric)
			return a < b ? -1 : a > b ? 1 : 0;
		return a.localeCompare(b, "en", { numeric: true });
	}

	function sort(column) {
		const head = heads[column];
		const numeric = head.classList.contains("n");
		const first = numeric ? "descending" : "ascending";
		const other = numeric ? "ascending" : "descending";
		const order = head.getAttribute("aria-sort") === first ? other : first;
		const sign = order === "ascending" ? 1 : -1;
		const rows = Array.from(body.rows, (row) => [key(row, column, numeric), row]);

		rows.sort((a, b) => sign * compare(a[0], b[0], numeric) || a[1].place - b[1].place);
		body.append(...rows.map((pair) => pair[1]));
		for (const cell of heads)
			cell.removeAttribute("aria-sort");
		head.setAttribute("aria-sort", order);
	}

	heads.forEach((head, column) => {
		const button = document.createElement("button");

		button.type = "button";
		button.textContent = head.textContent;
		button.addEventListener("click", () => sort(column));
		head.replaceChildren(button);
	});

	if (body.rows.length < 12)
		continue;
	const line = document.createElement("div");
	const label = document.createElement("label");
	const input = document.createElement("input");
	const count = document.createElement("span");

	line.className = "filter";
	label.textContent = "Find rows ";
	input.type = "search";
	count.setAttribute("role", "status");
	label.append(input);
	line.append(label, count);
	table.closest(".rows").before(line);
	input.addEventListener("input", () => {
		const wanted = input.value.toLowerCase();
		let shown = 0;

		for (const row of body.rows) {
			row.hidden = !row.textContent.toLowerCase().includes(wanted);
			shown += !row.hidden;
		}
		count.textContent = wanted ? shown + " of " + body.rows.length + " rows" : "";
	});
}
