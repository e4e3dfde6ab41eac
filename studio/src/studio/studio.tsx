export function Studio() {
  return (
    <div className="page">
      <title>Studio · Kinora</title>
      <h1>Studio</h1>
    </div>
  )
}
