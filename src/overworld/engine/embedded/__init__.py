"""The embedded engine: OverpassQL evaluated in process on a columnar world."""
